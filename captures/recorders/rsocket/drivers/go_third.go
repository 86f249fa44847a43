// What rsocket-go is made to do in the third round of the blind test; prints what it counted.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
	"github.com/rsocket/rsocket-go/rx/flux"
)

// Channels of six items to a responder that takes three. The library does not survive that.
func main() {
	client, err := rsocket.Connect().KeepAlive(5*time.Second, 20*time.Second, 3).
		DataMimeType("text/plain").MetadataMimeType("text/plain").
		Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(`{"connected": 1}`)
	for batch := 0; batch < 3; batch++ {
		items := flux.Create(func(ctx context.Context, sink flux.Sink) {
			for n := 0; n < 6; n++ {
				sink.Next(payload.NewString(fmt.Sprintf("batch %d measurement %d", batch, n), ""))
			}
			sink.Complete()
		})
		c, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		client.RequestChannel(items).BlockLast(c)
		cancel()
		client.RequestResponse(payload.NewString("batch done", "")).Block(context.Background())
	}
	client.Close()
	time.Sleep(200 * time.Millisecond)
}
