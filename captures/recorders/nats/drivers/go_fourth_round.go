// What nats.go is made to do in the fourth round of the blind test; prints what it counted.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go"
)

var counted = map[string]int{}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func conn(name string, options ...nats.Option) (*nats.Conn, nats.JetStreamContext) {
	nc, err := nats.Connect("nats://127.0.0.1:4222", append([]nats.Option{nats.Name(name), nats.ReconnectWait(300 * time.Millisecond), nats.MaxReconnects(-1)}, options...)...)
	check(err)
	js, err := nc.JetStream()
	check(err)
	return nc, js
}

// Makes streams, asks for them, and deletes some.
func admin() {
	nc, js := conn("installer")
	for i := 0; i < 12; i++ {
		name := fmt.Sprintf("tenant%d", i)
		if _, err := js.AddStream(&nats.StreamConfig{Name: name, Subjects: []string{name + ".>"}, Storage: nats.MemoryStorage}); err != nil {
			counted["failed"]++
		}
		if _, err := js.StreamInfo(name); err != nil {
			counted["failed"]++
		}
		time.Sleep(200 * time.Millisecond)
		if i%2 == 1 && js.DeleteStream(name) != nil {
			counted["failed"]++
		}
	}
	nc.Close()
}

// Publishes lines of a log until the program ends.
func logs() {
	nc, js := conn("sensor")
	for i := 0; i < 60; i++ {
		if _, err := js.Publish("logs.app", []byte(fmt.Sprintf("tick %d", i))); err != nil {
			counted["lost"]++
		}
		time.Sleep(220 * time.Millisecond)
	}
	nc.Close()
}

// The agent reads its file from the beginning each time it is started.
func lowerCase() {
	setup, js := conn("installer")
	_, err := js.AddStream(&nats.StreamConfig{Name: "events", Subjects: []string{"events.*"}, Storage: nats.MemoryStorage, Duplicates: time.Minute})
	check(err)
	setup.Close()
	for run := 0; run < 3; run++ {
		nc, js := conn("log-agent")
		for i := 0; i < 6+4*run; i++ {
			m := nats.NewMsg("events.log")
			m.Header["nats-msg-id"] = []string{fmt.Sprintf("app.log:%d", 117*i)}
			m.Data = []byte(fmt.Sprintf("line %d of app.log", i))
			ack, err := js.PublishMsg(m)
			check(err)
			if !ack.Duplicate {
				counted["stored"]++
			}
			time.Sleep(40 * time.Millisecond)
		}
		nc.Close()
		time.Sleep(400 * time.Millisecond)
	}
}

func declares() {
	nc, js := conn("event-bus")
	for i := 0; i < 25; i++ {
		_, err := js.AddStream(&nats.StreamConfig{Name: "bus", Subjects: []string{"bus.*.*"}, Storage: nats.MemoryStorage})
		check(err)
		body, _ := json.Marshal(map[string]any{"type": "invite_accepted", "number": i})
		_, err = js.Publish(fmt.Sprintf("bus.invite.%d", i%4), body)
		check(err)
		time.Sleep(60 * time.Millisecond)
	}
	nc.Close()
}

func longWork() {
	nc, js := conn("video")
	_, err := js.AddStream(&nats.StreamConfig{Name: "video", Subjects: []string{"video.*"}, Storage: nats.MemoryStorage})
	check(err)
	for i := 0; i < 4; i++ {
		_, err = js.Publish("video.new", []byte(fmt.Sprintf("clip %d", i)))
		check(err)
	}
	sub, err := js.PullSubscribe("video.*", "encoder", nats.AckWait(1200*time.Millisecond), nats.AckExplicit())
	check(err)
	for i := 0; i < 4; i++ {
		got, err := sub.Fetch(1, nats.MaxWait(2*time.Second))
		check(err)
		for t := 0; t < 3+3*(i%3); t++ {
			time.Sleep(400 * time.Millisecond)
			check(got[0].InProgress())
		}
		check(got[0].Ack())
	}
	info, err := sub.ConsumerInfo()
	check(err)
	counted["redelivered"], counted["ack_pending"] = info.NumRedelivered, info.NumAckPending
	nc.Close()
}

func main() {
	map[string]func(){
		"admin":                               admin,
		"logs":                                logs,
		"message_id_in_lower_case":            lowerCase,
		"stream_declared_before_each_publish": declares,
		"progress_until_ack":                  longWork,
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	check(err)
	fmt.Println(string(text))
}
