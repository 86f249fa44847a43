// What nats.go is made to do in the second round of the blind test; prints what it counted.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats.go"
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

// Each pod takes its own name as the queue group.
func queueGroupPerPod() {
	pods := []string{"approval-7d9f-x2x4k", "approval-7d9f-k9q7z", "approval-7d9f-m3t8b"}
	done := 0
	var all []*nats.Conn
	for _, pod := range pods {
		nc := conn(pod)
		all = append(all, nc)
		_, err := nc.QueueSubscribe("events.approval", pod, func(m *nats.Msg) {
			done++
			check(nc.Publish("approvals.done", append([]byte("done: "), m.Data...)))
		})
		check(err)
		check(nc.Flush())
	}
	nc := conn("shipyard")
	_, err := nc.Subscribe("approvals.done", func(m *nats.Msg) {})
	check(err)
	for i := 0; i < 15; i++ {
		check(nc.Publish("events.approval", []byte(fmt.Sprintf("approval %d", i))))
		time.Sleep(20 * time.Millisecond)
	}
	time.Sleep(300 * time.Millisecond)
	counted["processed"] = done
	for _, each := range append(all, nc) {
		each.Close()
	}
}

func flushPerMessage() {
	nc := conn("ticker")
	other := conn("screen")
	_, err := other.Subscribe("ticks.*", func(m *nats.Msg) {})
	check(err)
	check(other.Flush())
	for i := 0; i < 250; i++ {
		check(nc.Publish("ticks.eur", []byte(fmt.Sprintf("1.08%03d", i))))
		check(nc.Flush())
		counted["flushes"]++
	}
	time.Sleep(200 * time.Millisecond)
	nc.Close()
	other.Close()
}

var plays = map[string]func(){
	"queue_group_per_pod": queueGroupPerPod,
	"flush_per_message":   flushPerMessage,
}

func main() {
	plays[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
