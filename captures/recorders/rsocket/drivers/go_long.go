// A busy client by rsocket-go over WebSocket, for half a minute; prints as JSON what it counted.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
	"github.com/rsocket/rsocket-go/rx"
)

var (
	counted = map[string]int{}
	lock    sync.Mutex
	end     = time.Now().Add(26 * time.Second)
)

func count(name string) {
	lock.Lock()
	counted[name]++
	lock.Unlock()
}

func text(data string) payload.Payload { return payload.NewString(data, "") }

func soon() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 4*time.Second)
}

// ask waits for one answer.
func ask(client rsocket.Client, data string) {
	c, cancel := soon()
	defer cancel()
	if _, err := client.RequestResponse(text(data)).Block(c); err != nil {
		count("errors")
	} else {
		count("answers")
	}
}

// take takes a stream eight at a time, and cancels after `most` when that is not 0.
func take(client rsocket.Client, data string, most int) {
	done := make(chan bool, 4)
	got := 0
	var subscription rx.Subscription
	client.RequestStream(text(data)).Subscribe(context.Background(),
		rx.OnSubscribe(func(_ context.Context, given rx.Subscription) {
			subscription = given
			given.Request(8)
		}),
		rx.OnNext(func(payload.Payload) error {
			count("items")
			got++
			if got == most {
				subscription.Cancel()
				done <- true
			} else if got%8 == 0 {
				subscription.Request(8)
			}
			return nil
		}),
		rx.OnError(func(error) { done <- true }),
		rx.OnComplete(func() { done <- true }))
	select {
	case <-done:
	case <-time.After(4 * time.Second):
	}
}

// work goes on until the connection is lost.
func work(client rsocket.Client, lost chan bool) {
	var wait sync.WaitGroup
	again := func(every time.Duration, task func()) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for time.Now().Before(end) {
				select {
				case <-lost:
					return
				case <-time.After(every):
					task()
				}
			}
		}()
	}
	again(150*time.Millisecond, func() { ask(client, "ping") })
	again(time.Second, func() { ask(client, "error plain") })
	again(700*time.Millisecond, func() { take(client, "20", 0) })
	again(1500*time.Millisecond, func() { take(client, "slow 100", 4) })
	again(300*time.Millisecond, func() { client.FireAndForget(text("metric")) })
	again(3*time.Second, func() { ask(client, strings.Repeat("0123456789", 300)) })
	wait.Wait()
}

func main() {
	for pause := 200 * time.Millisecond; time.Now().Before(end); pause = min(2*pause, time.Second) {
		lost := make(chan bool)
		var once sync.Once
		client, err := rsocket.Connect().DataMimeType("text/plain").MetadataMimeType("text/plain").
			KeepAlive(time.Second, 5*time.Second, 3).Fragment(1024).
			OnClose(func(error) { once.Do(func() { close(lost) }) }).
			Transport(rsocket.WebsocketClient().SetURL("ws://broker:7000/rsocket").Build()).
			Start(context.Background())
		if err != nil {
			count("attempts")
			time.Sleep(pause)
			continue
		}
		pause = 200 * time.Millisecond
		work(client, lost)
		client.Close()
		time.Sleep(pause)
	}
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
