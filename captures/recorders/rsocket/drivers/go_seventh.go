// What rsocket-go is made to do in the seventh round of the blind test; prints what it counted.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
)

// Takes a client for connected when Start has no error, and starts another when a request fails.
func main() {
	answers, failures, connected := 0, 0, 0
	for life := 0; life < 11; life++ {
		client, err := rsocket.Connect().KeepAlive(5*time.Second, 20*time.Second, 3).SetupPayload(payload.NewString("token 2026-10", "")).
			Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
		if err != nil {
			failures++
			continue
		}
		connected++
		for n := 0; n < 3; n++ {
			ctx, cancel := context.WithTimeout(context.Background(), 400*time.Millisecond)
			if _, err := client.RequestResponse(payload.NewString(fmt.Sprintf("account %d", 3*life+n), "")).Block(ctx); err == nil {
				answers++
			} else {
				failures++
			}
			cancel()
		}
		client.Close()
		time.Sleep(60 * time.Millisecond)
	}
	time.Sleep(200 * time.Millisecond)
	fmt.Printf("{\"answers\": %d, \"errors\": %d, \"connections\": %d}\n", answers, failures, connected)
}
