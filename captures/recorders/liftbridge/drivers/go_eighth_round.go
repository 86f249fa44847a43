// Plays the eighth round of the blind test by go-liftbridge; prints what it counted as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
)

const server = "127.0.0.1:9292"

var counted = map[string]int64{}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func ctx() context.Context {
	c, _ := context.WithTimeout(context.Background(), 5*time.Second)
	return c
}

func connect() lift.Client {
	client, err := lift.Connect([]string{server})
	must(err)
	return client
}

func create(client lift.Client, name string, options ...lift.StreamOption) {
	must(client.CreateStream(ctx(), name, name, options...))
	time.Sleep(400 * time.Millisecond)
}

func publish(client lift.Client, name, value string) int64 {
	ack, err := client.Publish(ctx(), name, []byte(value), lift.AckPolicyLeader())
	must(err)
	return ack.Offset()
}

// closedEpoch reads a stream that becomes read-only, to its end, where the next stream begins.
func closedEpoch(goesOn bool) {
	owner, reader := connect(), connect()
	create(owner, "epoch-1")
	create(owner, "epoch-2")
	var next atomic.Int64
	handler := func(ended chan error) lift.Handler {
		return func(m *lift.Message, err error) {
			if err != nil {
				select {
				case ended <- err:
				default:
				}
				return
			}
			next.Store(m.Offset() + 1)
			counted["read"]++
		}
	}
	go func() {
		for n := 0; n < 14; n++ {
			publish(owner, "epoch-1", fmt.Sprintf("position %d", n))
			time.Sleep(80 * time.Millisecond)
		}
		must(owner.SetStreamReadonly(ctx(), "epoch-1"))
		for n := 14; n < 40; n++ {
			publish(owner, "epoch-2", fmt.Sprintf("position %d", n))
			time.Sleep(170 * time.Millisecond)
		}
	}()
	time.Sleep(100 * time.Millisecond)
	name := "epoch-1"
	end := time.Now().Add(6500 * time.Millisecond)
	for time.Now().Before(end) {
		ended := make(chan error, 1)
		c, cancel := context.WithCancel(context.Background())
		err := reader.Subscribe(c, name, handler(ended), lift.StartAtOffset(next.Load()))
		if err == nil {
			counted["subscribed"]++
			select {
			case <-ended:
				counted["ended"]++
			case <-time.After(time.Until(end)):
			}
		}
		cancel()
		if goesOn && name == "epoch-1" {
			name = "epoch-2"
			next.Store(0)
		}
		time.Sleep(220 * time.Millisecond)
	}
	must(reader.Close())
	must(owner.Close())
}

// poison has one message whose handling always fails: the reader goes back to it, or puts it aside.
func poison(putsAside bool) {
	owner, reader := connect(), connect()
	create(owner, "invoices")
	create(owner, "invoices-failed")
	go func() {
		for n := 0; n < 34; n++ {
			text := fmt.Sprintf("invoice %d of 19 EUR", n)
			if n == 9 {
				text = "invoice 9 of nineteen EUR"
			}
			publish(owner, "invoices", text)
			time.Sleep(150 * time.Millisecond)
		}
	}()
	time.Sleep(100 * time.Millisecond)
	var next int64
	end := time.Now().Add(7 * time.Second)
	for time.Now().Before(end) {
		failed := make(chan int64, 1)
		c, cancel := context.WithCancel(context.Background())
		broken := false
		tries := 0
		must(reader.Subscribe(c, "invoices", func(m *lift.Message, err error) {
			if err != nil || broken {
				return
			}
			for strings.Contains(string(m.Value()), "nineteen") {
				tries++
				counted["failed"]++
				if !putsAside {
					broken = true
					failed <- m.Offset()
					return
				}
				if tries == 3 {
					publish(owner, "invoices-failed", string(m.Value()))
					counted["put_aside"]++
					break
				}
				time.Sleep(200 * time.Millisecond)
			}
			next = m.Offset() + 1
			counted["booked"]++
		}, lift.StartAtOffset(next)))
		counted["subscribed"]++
		select {
		case <-failed:
		case <-time.After(time.Until(end)):
		}
		cancel()
		time.Sleep(260 * time.Millisecond)
	}
	counted["next"] = next
	must(reader.Close())
	must(owner.Close())
}

// runs restarts a reader five times, while messages are published all the time.
func runs(remembers bool) {
	owner := connect()
	create(owner, "visits")
	stop := make(chan bool)
	done := make(chan bool)
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(140 * time.Millisecond):
				publish(owner, "visits", fmt.Sprintf("visit %d", n))
				counted["published"]++
			}
		}
	}()
	var last atomic.Int64
	last.Store(-1)
	var read atomic.Int64
	for run := 0; run < 5; run++ {
		time.Sleep(700 * time.Millisecond)
		reader := connect()
		var options []lift.SubscriptionOption // without one, what comes from now on
		if run == 0 {
			options = append(options, lift.StartAtEarliestReceived())
		} else if remembers {
			options = append(options, lift.StartAtOffset(last.Load()+1))
		}
		c, cancel := context.WithCancel(context.Background())
		must(reader.Subscribe(c, "visits", func(m *lift.Message, err error) {
			if err == nil {
				last.Store(m.Offset())
				read.Add(1)
			}
		}, options...))
		time.Sleep(800 * time.Millisecond)
		cancel()
		must(reader.Close())
	}
	close(stop)
	<-done
	counted["read"] = read.Load()
	must(owner.Close())
}

func main() {
	map[string]func(){
		"subscribed_at_a_closed_end":   func() { closedEpoch(false) },
		"goes_on_in_the_next_stream":   func() { closedEpoch(true) },
		"back_to_a_message_that_fails": func() { poison(false) },
		"message_that_fails_put_aside": func() { poison(true) },
		"what_came_meanwhile_skipped":  func() { runs(false) },
		"what_came_meanwhile_read":     func() { runs(true) },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
