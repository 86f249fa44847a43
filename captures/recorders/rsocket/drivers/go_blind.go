// Plays the blind test with rsocket-go: PLAY tcp; prints as JSON what it counted.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
)

// The one play: a list, and a request for each of its entries.
func main() {
	client, err := rsocket.Connect().KeepAlive(5*time.Second, 20*time.Second, 3).
		DataMimeType("text/plain").MetadataMimeType("text/plain").
		Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).
		Start(context.Background())
	if err != nil {
		panic(err)
	}
	counted := map[string]int{}
	ask := func(data string) {
		c, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if _, err := client.RequestResponse(payload.NewString(data, "")).Block(c); err != nil {
			panic(err)
		}
		counted["answers"]++
	}
	ask("orders of today")
	for i := 0; i < 60; i++ {
		ask(fmt.Sprintf("order %d", 1000+i))
	}
	client.Close()
	time.Sleep(200 * time.Millisecond)
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
