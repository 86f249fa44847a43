// What rsocket-go is made to do in the fourteenth round of the blind test; prints what it counted.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
)

var answers, errors, items atomic.Int64

func connect(data string) rsocket.Client {
	client, err := rsocket.Connect().KeepAlive(2*time.Second, 20*time.Second, 3).DataMimeType("application/json").MetadataMimeType("text/plain").
		SetupPayload(payload.NewString(data, "")).
		Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
	if err != nil {
		panic(err)
	}
	return client
}

func ask(client rsocket.Client, text string) error {
	over, end := context.WithTimeout(context.Background(), 1500*time.Millisecond)
	defer end()
	_, err := client.RequestResponse(payload.NewString(text, "")).Block(over)
	if err != nil {
		errors.Add(1)
	} else {
		answers.Add(1)
	}
	return err
}

// A till whose token expires; it goes on with it, or connects with a new one when it is refused.
func till(renews bool) {
	client := connect("token 1 of till-4")
	tokens := 1
	for n := 0; n < 34; n++ {
		err := ask(client, fmt.Sprintf(`{"id": %d, "account": "A-%d"}`, n, n%9))
		if renews && err != nil && strings.Contains(err.Error(), "expired") {
			_ = client.Close()
			tokens++
			client = connect(fmt.Sprintf("token %d of till-4", tokens))
		}
		time.Sleep(220 * time.Millisecond)
	}
	_ = client.Close()
}

// A client among others: questions and rows, and rests.
func among() {
	client := connect("report")
	for n := 0; n < 14; n++ {
		_ = ask(client, fmt.Sprintf(`{"id": %d}`, n))
		rows, err := client.RequestStream(payload.NewString(fmt.Sprintf("rows %d page-%d", 3+n%5, n), "")).BlockSlice(context.Background())
		if err != nil {
			errors.Add(1)
		}
		items.Add(int64(len(rows)))
		client.FireAndForget(payload.NewString(fmt.Sprintf(`{"seen": %d}`, n), ""))
		time.Sleep(time.Duration(200+400*(n%3)) * time.Millisecond)
	}
	_ = client.Close()
}

func main() {
	switch os.Args[1] {
	case "keeps_token":
		till(false)
	case "renews_token":
		till(true)
	default:
		among()
	}
	fmt.Printf("{\"answers\": %d, \"errors\": %d, \"items\": %d}\n", answers.Load(), errors.Load(), items.Load())
}
