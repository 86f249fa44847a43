// What nats.go is made to do in the twelfth round of the blind test; prints what it counted.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

var counted = map[string]int64{}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func conn(name string, more ...nats.Option) *nats.Conn {
	nc, err := nats.Connect("nats://127.0.0.1:4222", append(more, nats.Name(name), nats.NoReconnect())...)
	check(err)
	return nc
}

// importer runs four times and reads the catalogue; its consumer is durable, or a new one of each run.
func importer(durable bool) {
	shop := conn("shop")
	js, err := shop.JetStream()
	check(err)
	_, err = js.AddStream(&nats.StreamConfig{Name: "catalogue", Subjects: []string{"catalogue.>"}, Storage: nats.MemoryStorage})
	check(err)
	_, err = shop.QueueSubscribe("price.of", "prices", func(m *nats.Msg) { check(m.Respond([]byte("12.50"))) })
	check(err)
	for run := 0; run < 4; run++ {
		for n := 0; n < 18; n++ {
			_, err := js.Publish(fmt.Sprintf("catalogue.item.%d", n%6), []byte(fmt.Sprintf("item %d of delivery %d, boxed", n, run)))
			check(err)
			counted["published"]++
		}
		nc := conn("importer")
		own, err := nc.JetStream()
		check(err)
		var handled atomic.Int64
		options := []nats.SubOpt{nats.ManualAck(), nats.AckExplicit(), nats.DeliverAll()}
		if durable {
			options = append(options, nats.Durable("importer"))
		}
		_, err = own.Subscribe("catalogue.>", func(m *nats.Msg) {
			check(m.Ack())
			handled.Add(1)
		}, options...)
		check(err)
		for wait := 0; wait < 3; wait++ {
			_, err := nc.Request("price.of", []byte(fmt.Sprintf("item %d", wait)), time.Second)
			check(err)
			time.Sleep(400 * time.Millisecond)
		}
		check(nc.Flush())
		counted["handled"] += handled.Load()
		nc.Close()
		time.Sleep(300 * time.Millisecond)
	}
	shop.Close()
}

// survey asks the servers of a cluster for their figures, and waits for as many answers as it expects servers.
func survey(expected int) {
	app := conn("orders", nats.UserInfo("app", "throwaway"))
	_, err := app.Subscribe("orders.new", func(m *nats.Msg) {})
	check(err)
	done := make(chan bool)
	go func() {
		defer close(done)
		for n := 0; n < 40; n++ {
			check(app.Publish("orders.new", []byte(fmt.Sprintf("order %d", n))))
			time.Sleep(400 * time.Millisecond)
		}
	}()
	nc := conn("surveyor", nats.UserInfo("sys", "throwaway"))
	for poll := 0; poll < 11; poll++ {
		sub, err := nc.SubscribeSync(nats.NewInbox())
		check(err)
		check(sub.AutoUnsubscribe(expected))
		check(nc.PublishRequest("$SYS.REQ.SERVER.PING", sub.Subject, nil))
		counted["asked"]++
		for got := 0; got < expected; got++ {
			if _, err := sub.NextMsg(900 * time.Millisecond); err != nil {
				counted["waited_in_vain"]++
				break
			}
			counted["answers"]++
		}
		_ = sub.Unsubscribe()
		time.Sleep(500 * time.Millisecond)
	}
	<-done
	nc.Close()
	app.Close()
}

func main() {
	map[string]func(){
		"everything_again_at_each_run": func() { importer(false) },
		"durable_for_all_runs":         func() { importer(true) },
		"more_servers_expected":        func() { survey(3) },
		"as_many_servers_as_there_are": func() { survey(2) },
	}[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
