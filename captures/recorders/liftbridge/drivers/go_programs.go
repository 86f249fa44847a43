// Plays programs by go-liftbridge; prints what it counted as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
)

var counted = map[string]int64{}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func ctx() context.Context {
	c, _ := context.WithTimeout(context.Background(), 5*time.Second)
	return c
}

// tool connects for one thing, as the command line of Liftbridge does.
func tool(do func(lift.Client) error) {
	client, err := lift.Connect([]string{"127.0.0.1:9292"})
	must(err)
	must(do(client))
	must(client.Close())
	counted["commands"]++
}

// cursorSetByATool: an operator publishes, looks and sets cursors while a program reads one partition.
func cursorSetByATool() {
	tool(func(c lift.Client) error { return c.CreateStream(ctx(), "visits", "visits", lift.Partitions(2)) })
	time.Sleep(500 * time.Millisecond)
	reader, err := lift.Connect([]string{"127.0.0.1:9292"})
	must(err)
	var read atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	must(reader.Subscribe(c, "visits", func(m *lift.Message, err error) {
		if err == nil {
			read.Add(1)
		}
	}, lift.StartAtEarliestReceived()))
	for n := 0; n < 6; n++ {
		tool(func(c lift.Client) error {
			_, err := c.Publish(ctx(), "visits", []byte(fmt.Sprintf("visit %d", n)), lift.ToPartition(int32(n%2)), lift.AckPolicyLeader())
			return err
		})
		time.Sleep(150 * time.Millisecond)
	}
	tool(func(c lift.Client) error { return c.SetCursor(ctx(), "report", "visits", 1, 1) })
	tool(func(c lift.Client) error {
		_, err := c.FetchCursor(ctx(), "report", "visits", 1)
		return err
	})
	tool(func(c lift.Client) error {
		_, err := c.FetchMetadata(ctx())
		return err
	})
	time.Sleep(500 * time.Millisecond)
	cancel()
	must(reader.Close())
	counted["read"] = read.Load()
}

func main() {
	map[string]func(){"cursor_set_by_a_tool": cursorSetByATool}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
