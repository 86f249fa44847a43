// What rsocket-go is made to do in the tenth round of the blind test; prints what it counted.
package main

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
	"github.com/rsocket/rsocket-go/rx"
	"github.com/rsocket/rsocket-go/rx/flux"
)

var answers, items, failures atomic.Int64

// A catalogue over a slow line: pages by streams of limited demand, questions, and reports that nobody answers.
func main() {
	client, err := rsocket.Connect().KeepAlive(2*time.Second, 30*time.Second, 3).DataMimeType("text/plain").MetadataMimeType("text/plain").
		Fragment(512).SetupPayload(payload.NewString("catalogue", "")).
		Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
	if err != nil {
		panic(err)
	}
	var group sync.WaitGroup
	for n := 0; n < 9; n++ {
		group.Add(2)
		go func(n int) {
			defer group.Done()
			text := fmt.Sprintf("question %d %s", n, strings.Repeat("and more ", 20*(n%4)))
			if _, err := client.RequestResponse(payload.NewString(text, "")).Block(context.Background()); err == nil {
				answers.Add(1)
			} else {
				failures.Add(1)
			}
		}(n)
		go func(n int) {
			defer group.Done()
			done := make(chan bool, 1)
			var own rx.Subscription
			got := 0
			request := client.RequestStream(payload.NewString(fmt.Sprintf("rows %d page-%d", 24+n, n), ""))
			flux.Clone(request).DoFinally(func(rx.SignalType) { done <- true }).Subscribe(context.Background(),
				rx.OnSubscribe(func(_ context.Context, s rx.Subscription) { own = s; s.Request(8) }),
				rx.OnNext(func(payload.Payload) error {
					items.Add(1)
					got++
					if got%8 == 0 {
						own.Request(8)
					}
					return nil
				}))
			select {
			case <-done:
			case <-time.After(12 * time.Second):
				failures.Add(1)
			}
		}(n)
		client.FireAndForget(payload.NewString(fmt.Sprintf("report %d", n), ""))
		time.Sleep(450 * time.Millisecond)
	}
	group.Wait()
	client.Close()
	time.Sleep(300 * time.Millisecond)
	fmt.Printf("{\"answers\": %d, \"items\": %d, \"errors\": %d}\n", answers.Load(), items.Load(), failures.Load())
}
