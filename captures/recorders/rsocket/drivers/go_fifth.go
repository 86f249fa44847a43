// What rsocket-go is made to do in the fifth round of the blind test; prints what it counted.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/extension"
	"github.com/rsocket/rsocket-go/payload"
)

func main() {
	answers, failures := 0, 0
	count := func(err error) {
		if err == nil {
			answers++
		} else {
			failures++
		}
	}
	client, err := rsocket.Connect().KeepAlive(5*time.Second, 20*time.Second, 3).
		Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
	if err != nil {
		panic(err)
	}
	if os.Args[1] == "mime_type_for_route" {
		for n := 0; n < 14; n++ {
			_, err := client.RequestResponse(payload.NewString(fmt.Sprintf("message %d", n), extension.MessageRouting.String())).Block(context.Background())
			count(err)
			time.Sleep(140 * time.Millisecond)
		}
	} else {
		for n := 0; n < 13; n++ {
			_, err := client.RequestResponse(payload.NewString("ping", "")).Block(context.Background())
			count(err)
			client.FireAndForget(payload.NewString("alive", ""))
			time.Sleep(900 * time.Millisecond)
		}
	}
	client.Close()
	time.Sleep(200 * time.Millisecond)
	fmt.Printf("{\"answers\": %d, \"errors\": %d}\n", answers, failures)
}
