// What nats.go is made to do in the sixteenth round of the blind test; prints what it counted as JSON.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

var counted = map[string]int{}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// machines are provisioned by a server each; that of node-2 signs the nonce by another key than the one that it names.
func machines() {
	seed := []byte(os.Args[2])
	right, err := nkeys.FromSeed(seed)
	must(err)
	wrong, err := nkeys.CreateUser()
	must(err)
	public, err := right.PublicKey()
	must(err)
	connect := func(name string, key nkeys.KeyPair) (*nats.Conn, error) {
		return nats.Connect("nats://127.0.0.1:4222", nats.Name(name), nats.Timeout(2*time.Second), nats.Nkey(public, key.Sign))
	}
	broker, err := connect("broker", right)
	must(err)
	first, err := connect("node-1", right)
	must(err)
	_, err = first.Subscribe("node.*.run", func(m *nats.Msg) { counted["runs"]++; _ = m.Respond([]byte("done")) })
	must(err)
	go func() {
		for {
			if nc, err := connect("node-2", wrong); err == nil {
				nc.Close()
				return
			}
			counted["refused"]++
			time.Sleep(500 * time.Millisecond)
		}
	}()
	for n := 0; n < 24; n++ {
		if _, err := broker.Request(fmt.Sprintf("node.%d.run", n%5), []byte(fmt.Sprintf("package update %d", n)), time.Second); err == nil {
			counted["done"]++
		}
		time.Sleep(450 * time.Millisecond)
	}
	first.Close()
	broker.Close()
}

// pictures are kept in an object store; one is read over a slow line, as long as it takes.
func pictures() {
	office, err := nats.Connect("nats://127.0.0.1:4222", nats.Name("studio"))
	must(err)
	js, err := office.JetStream()
	must(err)
	kept, err := js.CreateObjectStore(&nats.ObjectStoreConfig{Bucket: "pictures", Storage: nats.MemoryStorage})
	must(err)
	content := bytes.Repeat([]byte("a landscape with trees, "), 1900)
	_, err = kept.Put(&nats.ObjectMeta{Name: "landscape", Opts: &nats.ObjectMetaOptions{ChunkSize: 4096}}, bytes.NewReader(content))
	must(err)
	cottage, err := nats.Connect("nats://127.0.0.1:4223", nats.Name("cottage"))
	must(err)
	own, err := cottage.JetStream(nats.MaxWait(40 * time.Second))
	must(err)
	bucket, err := own.ObjectStore("pictures")
	must(err)
	read, err := bucket.GetBytes("landscape")
	must(err)
	counted["bytes"] = len(read)
	must(cottage.Drain())
	must(office.Drain())
	time.Sleep(300 * time.Millisecond)
}

func main() {
	map[string]func(){"refused_signature": machines, "object_over_a_slow_line": pictures}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
