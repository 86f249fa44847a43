// What nats.go is made to do in the fifteenth round of the blind test; prints what it counted as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func conn(name string, attempts int) *nats.Conn {
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name(name), nats.MaxReconnects(attempts), nats.ReconnectWait(400*time.Millisecond), nats.ReconnectJitter(0, 0))
	must(err)
	return nc
}

// files has an uploader, a store that answers and keeps, and a search index; the server is away for some seconds.
func files(attempts int) {
	var kept, indexed, asked, failed, uploaded atomic.Int64
	uploader, store, search := conn("uploader", -1), conn("store", attempts), conn("search", -1)
	_, err := store.QueueSubscribe("files.uploaded", "stores", func(m *nats.Msg) { kept.Add(1) })
	must(err)
	_, err = store.Subscribe("store.get", func(m *nats.Msg) { _ = m.Respond([]byte("content of " + string(m.Data))) })
	must(err)
	_, err = search.Subscribe("files.>", func(m *nats.Msg) { indexed.Add(1) })
	must(err)
	for n := 0; n < 60; n++ {
		if uploader.IsConnected() {
			must(uploader.Publish("files.uploaded", []byte(fmt.Sprintf("file-%d of user %d", n, n%4))))
			uploaded.Add(1)
			if n%3 == 0 {
				if _, err := search.Request("store.get", []byte(fmt.Sprintf("file-%d", n)), 700*time.Millisecond); err != nil {
					failed.Add(1)
				} else {
					asked.Add(1)
				}
			}
		}
		time.Sleep(250 * time.Millisecond)
	}
	text, err := json.Marshal(map[string]int64{"uploaded": uploaded.Load(), "kept": kept.Load(), "indexed": indexed.Load(), "answered": asked.Load(), "not_answered": failed.Load()})
	must(err)
	must(search.Drain())
	must(uploader.Drain())
	time.Sleep(300 * time.Millisecond)
	fmt.Println(string(text))
}

func main() {
	if os.Args[1] == "gives_up_reconnecting" {
		files(3)
	} else {
		files(-1)
	}
}
