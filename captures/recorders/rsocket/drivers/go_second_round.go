// What rsocket-go is made to do in the second round of the blind test; prints what it counted.
package main

import (
	"context"
	"fmt"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
)

func main() {
	client, err := rsocket.Connect().KeepAlive(5*time.Second, 20*time.Second, 3).
		DataMimeType("text/plain").MetadataMimeType("text/plain").
		Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
	if err != nil {
		panic(err)
	}
	rows := 0
	for i := 0; i < 20; i++ {
		c, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		_, err := client.RequestStream(payload.NewString("fail 6", "")).
			DoOnNext(func(payload.Payload) error { rows++; return nil }).BlockLast(c)
		cancel()
		if err == nil {
			break
		}
	}
	client.Close()
	time.Sleep(200 * time.Millisecond)
	fmt.Printf("{\"rows\": %d}\n", rows)
}
