// Plays scenarios from threads with rsocket-go: PLAY tcp; prints as JSON what it counted.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/extension"
	"github.com/rsocket/rsocket-go/payload"
)

var counted = map[string]int{}

func connect(mime string) rsocket.Client {
	client, err := rsocket.Connect().KeepAlive(5*time.Second, 20*time.Second, 3).
		DataMimeType("text/plain").MetadataMimeType(mime).
		Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).
		Start(context.Background())
	if err != nil {
		panic(err)
	}
	return client
}

func ask(client rsocket.Client, asked payload.Payload) {
	c, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if _, err := client.RequestResponse(asked).Block(c); err != nil {
		counted["errors"]++
		return
	}
	counted["answers"]++
}

// routeWithoutComposite takes the second argument of a payload for the type of its metadata.
func routeWithoutComposite() {
	client := connect("message/x.rsocket.composite-metadata.v0")
	for i := 0; i < 6; i++ {
		ask(client, payload.NewString("on.message", extension.MessageRouting.String()))
		time.Sleep(50 * time.Millisecond)
	}
	client.Close()
}

func manyFireAndForget() {
	client := connect("text/plain")
	for i := 0; i < 120; i++ {
		client.FireAndForget(payload.NewString(fmt.Sprintf("event %d", i), ""))
		counted["fired"]++
	}
	ask(client, payload.NewString("ping", ""))
	client.Close()
}

func main() {
	map[string]func(){
		"route_without_composite": routeWithoutComposite,
		"many_fire_and_forget":    manyFireAndForget,
	}[os.Args[1]]()
	time.Sleep(200 * time.Millisecond)
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
