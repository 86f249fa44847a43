// What rsocket-go is made to do in the thirteenth round of the blind test; prints what it counted.
package main

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
)

var answers, failures atomic.Int64

// Documents of different sizes, in fragments of 128 bytes where they are larger.
func main() {
	client, err := rsocket.Connect().Fragment(128).KeepAlive(2*time.Second, 20*time.Second, 3).DataMimeType("application/json").MetadataMimeType("text/plain").
		Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
	if err != nil {
		panic(err)
	}
	for n := 0; n < 20; n++ {
		text := fmt.Sprintf(`{"document": %d, "text": "%s"}`, n, strings.Repeat("word ", 2+13*(n%4)))
		over, end := context.WithTimeout(context.Background(), 1500*time.Millisecond)
		if _, err := client.RequestResponse(payload.NewString(text, "")).Block(over); err != nil {
			failures.Add(1)
		} else {
			answers.Add(1)
		}
		end()
		time.Sleep(180 * time.Millisecond)
	}
	_ = client.Close()
	fmt.Printf("{\"answers\": %d, \"failures\": %d}\n", answers.Load(), failures.Load())
}
