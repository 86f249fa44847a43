// What nats.go is made to do in scenarios from threads; prints what it counted as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var counted = map[string]int{}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func connect(name string) (*nats.Conn, jetstream.JetStream) {
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name(name), nats.NoReconnect())
	check(err)
	js, err := jetstream.New(nc)
	check(err)
	return nc, js
}

func ctx() context.Context {
	c, _ := context.WithTimeout(context.Background(), 5*time.Second)
	return c
}

func stream(js jetstream.JetStream, count int) jetstream.Stream {
	s, err := js.CreateStream(ctx(), jetstream.StreamConfig{Name: "WORK", Subjects: []string{"work.*"}})
	check(err)
	for i := 0; i < count; i++ {
		_, err = js.Publish(ctx(), "work.new", []byte(fmt.Sprintf("job %d", i)))
		check(err)
	}
	return s
}

func worker(s jetstream.Stream, wait time.Duration) jetstream.Consumer {
	c, err := s.CreateOrUpdateConsumer(ctx(), jetstream.ConsumerConfig{
		Durable: "worker", AckPolicy: jetstream.AckExplicitPolicy, AckWait: wait})
	check(err)
	return c
}

func pollsWithoutWaiting() {
	nc, js := connect("poller")
	c := worker(stream(js, 2), 30*time.Second)
	for i := 0; i < 121; i++ {
		batch, err := c.FetchNoWait(10)
		check(err)
		for msg := range batch.Messages() {
			check(msg.Ack())
			counted["messages"]++
		}
		counted["pulls"]++
	}
	nc.Close()
}

func emptyThenWaits() {
	nc, js := connect("poller")
	c := worker(stream(js, 4), 30*time.Second)
	for i := 0; i < 3; i++ {
		batch, err := c.FetchNoWait(2)
		check(err)
		for msg := range batch.Messages() {
			check(msg.Ack())
			counted["messages"]++
		}
	}
	for i := 0; i < 3; i++ {
		if i == 2 {
			time.AfterFunc(300*time.Millisecond, func() { js.Publish(ctx(), "work.new", []byte("late")) })
		}
		batch, err := c.Fetch(1, jetstream.FetchMaxWait(time.Second))
		check(err)
		for msg := range batch.Messages() {
			check(msg.Ack())
			counted["messages"]++
		}
	}
	check(nc.Drain())
	time.Sleep(200 * time.Millisecond)
}

func acksAfterWait() {
	nc, js := connect("worker")
	c := worker(stream(js, 10), time.Second)
	done := make(chan bool, 100)
	consuming, err := c.Consume(func(msg jetstream.Msg) {
		time.Sleep(400 * time.Millisecond)
		check(msg.Ack())
		counted["handled"]++
		done <- true
	})
	check(err)
	for i := 0; i < 14; i++ {
		<-done
	}
	consuming.Stop()
	nc.Close()
}

func progressReported() {
	nc, js := connect("worker")
	c := worker(stream(js, 2), time.Second)
	for i := 0; i < 2; i++ {
		msg, err := c.Next(jetstream.FetchMaxWait(time.Second))
		check(err)
		for n := 0; n < 4; n++ {
			time.Sleep(600 * time.Millisecond)
			check(msg.InProgress())
		}
		check(msg.DoubleAck(ctx()))
		counted["handled"]++
	}
	check(nc.Drain())
	time.Sleep(200 * time.Millisecond)
}

func streamFullIgnored() {
	nc, js := connect("publisher")
	_, err := js.CreateStream(ctx(), jetstream.StreamConfig{Name: "WORK", Subjects: []string{"work.*"},
		MaxMsgs: 5, Discard: jetstream.DiscardNew})
	check(err)
	for i := 0; i < 30; i++ {
		_, err := js.PublishAsync("work.new", []byte(fmt.Sprintf("job %d", i)))
		check(err)
		counted["published"]++
		time.Sleep(20 * time.Millisecond)
	}
	<-js.PublishAsyncComplete()
	nc.Close()
}

func filterFlips() {
	one, first := connect("eu-service")
	stream(first, 0)
	two, second := connect("us-service")
	for i := 0; i < 5; i++ {
		for n, js := range []jetstream.JetStream{first, second} {
			filter := []string{"work.eu", "work.us"}[n]
			c, err := js.CreateOrUpdateConsumer(ctx(), "WORK", jetstream.ConsumerConfig{
				Durable: "worker", FilterSubject: filter})
			check(err)
			for _, subject := range []string{"work.eu", "work.us"} {
				_, err = js.Publish(ctx(), subject, []byte("order"))
				check(err)
			}
			batch, err := c.FetchNoWait(4)
			check(err)
			for msg := range batch.Messages() {
				check(msg.Ack())
				counted["messages"]++
			}
		}
	}
	one.Close()
	two.Close()
}

func consumerEnsuredTwice() {
	for i := 0; i < 3; i++ {
		nc, js := connect("worker")
		s, err := js.CreateOrUpdateStream(ctx(), jetstream.StreamConfig{Name: "WORK", Subjects: []string{"work.*"}})
		check(err)
		c := worker(s, 30*time.Second)
		for n := 0; n < 3; n++ {
			_, err = js.Publish(ctx(), "work.new", []byte("job"))
			check(err)
		}
		batch, err := c.Fetch(3, jetstream.FetchMaxWait(time.Second))
		check(err)
		for msg := range batch.Messages() {
			check(msg.Ack())
			counted["messages"]++
		}
		check(nc.Drain())
		time.Sleep(200 * time.Millisecond)
	}
}

var plays = map[string]func(){
	"polls_without_waiting": pollsWithoutWaiting, "empty_then_waits": emptyThenWaits,
	"acks_after_wait": acksAfterWait, "progress_reported": progressReported,
	"stream_full_ignored": streamFullIgnored, "filter_flips": filterFlips,
	"consumer_ensured_twice": consumerEnsuredTwice,
}

func main() {
	plays[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
