// Plays the thirteenth round of the blind test by go-liftbridge; prints what it counted as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
)

var servers = []string{"127.0.0.1:9292"}

var counted = map[string]int64{}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func within(d time.Duration) context.Context {
	c, _ := context.WithTimeout(context.Background(), d)
	return c
}

func connect() lift.Client {
	client, err := lift.Connect(servers)
	must(err)
	return client
}

// reads counts what comes from a stream.
func reads(c context.Context, client lift.Client, stream string, read *atomic.Int64) {
	must(client.Subscribe(c, stream, func(m *lift.Message, err error) {
		if err == nil {
			read.Add(1)
		}
	}, lift.StartAtEarliestReceived()))
}

// camera publishes pictures whole, or in parts of 4000 bytes.
func camera(whole bool) {
	client, screen := connect(), connect()
	must(client.CreateStream(within(5*time.Second), "gate.pictures", "pictures"))
	must(client.CreateStream(within(5*time.Second), "gate.events", "events"))
	time.Sleep(700 * time.Millisecond)
	var read, events atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	reads(c, screen, "pictures", &read)
	reads(c, screen, "events", &events)
	for n := 0; n < 15; n++ {
		left := 2400 + 3100*(n%4)
		for part := 0; left > 0; part++ {
			size := left
			if !whole && size > 4000 {
				size = 4000
			}
			left -= size
			data := []byte(strings.Repeat(fmt.Sprintf("picture %03d part %d row ", n, part), size/23+1)[:size])
			for try := 0; try < 3; try++ {
				_, err := client.Publish(within(900*time.Millisecond), "pictures", data, lift.AckPolicyLeader())
				if err == nil {
					counted["published"]++
					break
				}
				counted["refused"]++
				time.Sleep(120 * time.Millisecond)
			}
		}
		_, err := client.Publish(within(5*time.Second), "events", []byte(fmt.Sprintf("car %d at the gate", n)), lift.AckPolicyLeader())
		must(err)
		time.Sleep(200 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond)
	counted["read"], counted["events"] = read.Load(), events.Load()
	cancel()
	must(screen.Close())
	must(client.Close())
}

func main() {
	map[string]func(){
		"pictures_too_large": func() { camera(true) },
		"pictures_in_parts":  func() { camera(false) },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
