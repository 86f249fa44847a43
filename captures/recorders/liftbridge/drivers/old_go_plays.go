// Plays a scenario by go-liftbridge of 2019: old_go_plays SCENARIO.
//
// Prints what it counted as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge"
	proto "github.com/liftbridge-io/liftbridge-api/go"
	"github.com/nats-io/nats.go"
)

func ctx() context.Context {
	c, _ := context.WithTimeout(context.Background(), 10*time.Second)
	return c
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		panic(err)
	}
}

// old speaks to the server of its time.
func old() map[string]int {
	counted := map[string]int{}
	client, err := lift.Connect([]string{"127.0.0.1:9292"})
	must(err)
	must(client.CreateStream(ctx(), "old", "old-stream"))
	time.Sleep(300 * time.Millisecond)
	for i := 0; i < 3; i++ {
		_, err := client.Publish(ctx(), "old", []byte(fmt.Sprintf("message %d", i)), lift.Key([]byte("k")), lift.AckPolicyAll())
		must(err)
		counted["published"]++
	}
	nc, err := nats.Connect("nats://127.0.0.1:4222")
	must(err)
	acks, err := nc.SubscribeSync("old.acks")
	must(err)
	must(nc.Publish("old", lift.NewMessage([]byte("by hand"), lift.AckInbox("old.acks"), lift.CorrelationID("c-1"))))
	_, err = acks.NextMsg(5 * time.Second)
	must(err)
	counted["published"]++
	must(nc.Publish("old", []byte("plain")))
	must(nc.Flush())
	time.Sleep(300 * time.Millisecond)
	done := make(chan bool, 10)
	c, cancel := context.WithCancel(context.Background())
	must(client.Subscribe(c, "old-stream", func(msg *proto.Message, err error) {
		if err == nil {
			counted["messages"]++
			done <- true
		}
	}, lift.StartAtEarliestReceived()))
	for i := 0; i < 5; i++ {
		<-done
	}
	cancel()
	client.Close()
	nc.Close()
	return counted
}

// late publishes in the layout of 2019 to a server of 2022.
func late() map[string]int {
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name("from 2019"))
	must(err)
	for i := 0; i < 2; i++ {
		must(nc.Publish("news", lift.NewMessage([]byte("an old envelope"), lift.AckInbox("old.acks"), lift.CorrelationID(fmt.Sprint(i)))))
	}
	must(nc.Flush())
	time.Sleep(500 * time.Millisecond)
	nc.Close()
	return map[string]int{"published": 2}
}

func main() {
	text, _ := json.Marshal(map[string]func() map[string]int{"old": old, "late": late}[os.Args[1]]())
	fmt.Println(string(text))
}
