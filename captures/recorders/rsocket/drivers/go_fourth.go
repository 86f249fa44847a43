// What rsocket-go is made to do in the fourth round of the blind test; prints what it counted.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
)

// Asks for orders, some of which have no number.
func main() {
	answers, failures := 0, 0
	client, err := rsocket.Connect().KeepAlive(5*time.Second, 20*time.Second, 3).
		DataMimeType("text/plain").MetadataMimeType("text/plain").
		Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
	if err != nil {
		panic(err)
	}
	for n := 0; n < 20; n++ {
		asked := fmt.Sprintf("show order %d", 1000+n)
		if n%3 == 2 {
			asked = fmt.Sprintf("show order #%dx", 1000+n)
		}
		if _, err := client.RequestResponse(payload.NewString(asked, "")).Block(context.Background()); err == nil {
			answers++
		} else {
			failures++
		}
		time.Sleep(110 * time.Millisecond)
	}
	client.Close()
	time.Sleep(200 * time.Millisecond)
	fmt.Printf("{\"answers\": %d, \"errors\": %d}\n", answers, failures)
}
