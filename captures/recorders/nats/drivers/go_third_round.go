// What nats.go is made to do in the third round of the blind test; prints what it counted.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nuid"
)

var counted = map[string]int{}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func conn(name string) *nats.Conn {
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name(name), nats.NoReconnect())
	check(err)
	return nc
}

// Each order is published until it is acknowledged in time.
func retries(id func(i int) string) {
	nc := conn("orders")
	js, err := nc.JetStream()
	check(err)
	_, err = js.AddStream(&nats.StreamConfig{Name: "orders", Subjects: []string{"orders.*"}, Storage: nats.MemoryStorage})
	check(err)
	other := conn("warehouse")
	ojs, err := other.JetStream()
	check(err)
	_, err = ojs.Subscribe("orders.*", func(m *nats.Msg) { counted["handled"]++; m.Ack() }, nats.Durable("warehouse"), nats.ManualAck())
	check(err)
	for i := 0; i < 16; i++ {
		for try := 0; try < 6; try++ {
			counted["published"]++
			_, err := js.Publish("orders.new", []byte(fmt.Sprintf("order %d of 16", i)), nats.MsgId(id(i)), nats.AckWait(300*time.Millisecond))
			if err == nil {
				break
			}
			if !errors.Is(err, nats.ErrTimeout) {
				panic(err)
			}
		}
		time.Sleep(150 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond)
	other.Close()
	nc.Close()
}

func orderedConsumerGoesOn() {
	nc := conn("meter")
	js, err := nc.JetStream()
	check(err)
	_, err = js.AddStream(&nats.StreamConfig{Name: "readings", Subjects: []string{"readings"}, Storage: nats.MemoryStorage})
	check(err)
	reader := conn("chart")
	rjs, err := reader.JetStream()
	check(err)
	sub, err := rjs.Subscribe("readings", func(m *nats.Msg) { counted["handled"]++ }, nats.OrderedConsumer(), nats.IdleHeartbeat(400*time.Millisecond))
	check(err)
	for i := 0; i < 30; i++ {
		_, err = js.Publish("readings", []byte(fmt.Sprintf("reading %d", i)))
		check(err)
		if i == 10 || i == 20 {
			if info, err := sub.ConsumerInfo(); err == nil {
				check(js.DeleteConsumer("readings", info.Name))
			}
			time.Sleep(2 * time.Second)
		}
		time.Sleep(30 * time.Millisecond)
	}
	time.Sleep(2 * time.Second)
	check(sub.Unsubscribe())
	reader.Close()
	nc.Close()
}

// The name of a city is a part of the subject as it is.
func spaceInSubject() {
	cities := []string{"oslo", "new york", "rome", "san jose", "paris", "new delhi", "lima", "cape town", "bonn"}
	screen := conn("screen")
	_, err := screen.Subscribe("weather.*", func(m *nats.Msg) { counted[m.Subject]++ })
	check(err)
	for _, city := range cities {
		_, err := screen.Subscribe("forecast."+city[len(city)-4:], func(m *nats.Msg) {})
		check(err)
	}
	check(screen.Flush())
	nc := conn("stations")
	for i := 0; i < 27; i++ {
		check(nc.Publish("weather."+cities[i%9], []byte(fmt.Sprintf("%d degrees", i))))
		time.Sleep(60 * time.Millisecond)
	}
	check(nc.Flush())
	time.Sleep(200 * time.Millisecond)
	nc.Close()
	screen.Close()
}

func main() {
	map[string]func(){
		"new_id_for_each_retry":    func() { retries(func(int) string { return nuid.Next() }) },
		"same_id_for_each_retry":   func() { retries(func(i int) string { return fmt.Sprintf("order-%d", i) }) },
		"space_in_subject":         spaceInSubject,
		"ordered_consumer_goes_on": orderedConsumerGoesOn,
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	check(err)
	fmt.Println(string(text))
}
