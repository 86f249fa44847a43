// What rsocket-go is made to do in the twelfth round of the blind test; prints what it counted.
package main

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
	"github.com/rsocket/rsocket-go/rx"
	"github.com/rsocket/rsocket-go/rx/flux"
)

var answers, items, failures atomic.Int64

func text(format string, with ...any) payload.Payload {
	return payload.NewString(fmt.Sprintf(format, with...), "")
}

// Sentences on a channel, each answered by the number of its words, beside questions.
func words(number int) {
	client, err := rsocket.Connect().KeepAlive(2*time.Second, 30*time.Second, 3).DataMimeType("text/plain").MetadataMimeType("text/plain").
		SetupPayload(text("author-%d", number)).Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
	if err != nil {
		panic(err)
	}
	defer client.Close()
	ask := func(n int) {
		over, end := context.WithTimeout(context.Background(), 1500*time.Millisecond)
		defer end()
		if _, err := client.RequestResponse(text("title of chapter %d", n)).Block(over); err == nil {
			answers.Add(1)
		} else {
			failures.Add(1)
		}
	}
	ask(0)
	for chapter := 0; chapter < 2; chapter++ {
		done := make(chan bool, 1)
		sentences := flux.Create(func(_ context.Context, sink flux.Sink) {
			for n := 0; n < 9; n++ {
				sink.Next(text("sentence %d of chapter %d by author %d", n, chapter, number))
			}
			sink.Complete()
		})
		client.RequestChannel(sentences).DoOnNext(func(payload.Payload) error { items.Add(1); return nil }).
			DoFinally(func(rx.SignalType) { done <- true }).Subscribe(context.Background())
		select {
		case <-done:
		case <-time.After(2500 * time.Millisecond):
			failures.Add(1)
		}
		ask(chapter + 1)
		time.Sleep(150 * time.Millisecond)
	}
}

func main() {
	_ = os.Args
	for n := 0; n < 3; n++ {
		words(n)
		time.Sleep(300 * time.Millisecond)
	}
	fmt.Printf("{\"answers\": %d, \"items\": %d, \"failures\": %d}\n", answers.Load(), items.Load(), failures.Load())
}
