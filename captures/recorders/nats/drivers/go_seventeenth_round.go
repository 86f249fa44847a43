// What nats.go is made to do in the seventeenth round of the blind test; prints what it counted.
package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

func conn(name string) *nats.Conn {
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(300*time.Millisecond), nats.ReconnectJitter(0, 0))
	if err != nil {
		panic(err)
	}
	return nc
}

// A gauge keeps its readings while the server is away; two goroutines send the kept and the new ones.
func main() {
	gauge, panel := conn("gauge"), conn("panel")
	var read, sent atomic.Int64
	_, _ = panel.Subscribe("gauge.*", func(*nats.Msg) { read.Add(1) })
	var kept [][]byte
	drained := make(chan []byte, 500)
	go func() {
		for each := range drained {
			_ = gauge.Publish("gauge.reading", each)
			sent.Add(1)
			time.Sleep(15 * time.Millisecond)
		}
	}()
	for n := 0; n < 180; n++ {
		reading := []byte(fmt.Sprintf("reading %d: %d bar", n, 3+n%4))
		if !gauge.IsConnected() {
			kept = append(kept, reading)
		} else {
			for _, each := range kept {
				drained <- each
			}
			kept = nil
			_ = gauge.Publish("gauge.reading", reading)
			sent.Add(1)
		}
		time.Sleep(60 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond)
	_ = gauge.Drain()
	_ = panel.Drain()
	time.Sleep(300 * time.Millisecond)
	fmt.Printf("{\"sent\": %d, \"read\": %d}\n", sent.Load(), read.Load())
	os.Exit(0)
}
