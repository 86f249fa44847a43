// Plays the fifteenth round of the blind test by go-liftbridge; prints what it counted as JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
)

var counted = map[string]int64{}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func within(d time.Duration) context.Context {
	c, _ := context.WithTimeout(context.Background(), d)
	return c
}

func connect(options ...lift.ClientOption) lift.Client {
	client, err := lift.Connect([]string{"127.0.0.1:9292"}, options...)
	must(err)
	return client
}

// ask lets the recorder do something to a server, and waits until it is done.
func ask(what string) {
	fmt.Println(what)
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

// reads subscribes to a stream and counts what comes under a name.
func reads(client lift.Client, stream string, read *atomic.Int64, options ...lift.SubscriptionOption) context.CancelFunc {
	c, cancel := context.WithCancel(context.Background())
	must(client.Subscribe(c, stream, func(m *lift.Message, err error) {
		if err == nil {
			read.Add(1)
		}
	}, options...))
	return cancel
}

// bills are written; billing reads all of them, an audit begins later, and a screen shows what is new.
func bills(whole bool) {
	office, billing, audit := connect(), connect(), connect()
	must(office.CreateStream(within(5*time.Second), "office.bills", "bills"))
	time.Sleep(900 * time.Millisecond)
	var billed, audited, shown atomic.Int64
	first := reads(billing, "bills", &billed, lift.StartAtOffset(0))
	screen := reads(billing, "bills", &shown)
	write := func(from, to int) {
		for n := from; n < to; n++ {
			_, err := office.Publish(within(5*time.Second), "bills", []byte(fmt.Sprintf("bill %d: %d EUR", n, 12+5*n)), lift.AckPolicyLeader())
			must(err)
			counted["written"]++
			time.Sleep(120 * time.Millisecond)
		}
	}
	write(0, 20)
	if whole {
		defer reads(audit, "bills", &audited, lift.StartAtEarliestReceived())()
	} else {
		defer reads(audit, "bills", &audited)()
	}
	write(20, 40)
	time.Sleep(400 * time.Millisecond)
	counted["billed"], counted["audited"], counted["shown"] = billed.Load(), audited.Load(), shown.Load()
	screen()
	first()
	for _, each := range []lift.Client{audit, billing, office} {
		must(each.Close())
	}
}

// alarms has a watch that never subscribes again after its stream has ended, and a display that does.
func alarms() {
	plant, watch, display := connect(), connect(lift.ResubscribeWaitTime(0)), connect(lift.ResubscribeWaitTime(20*time.Second))
	must(plant.CreateStream(within(5*time.Second), "plant.alarms", "alarms"))
	time.Sleep(900 * time.Millisecond)
	var watched, displayed atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	must(watch.Subscribe(c, "alarms", func(m *lift.Message, err error) {
		if err == nil {
			watched.Add(1)
		} else {
			counted["ended"]++
		}
	}, lift.StartAtEarliestReceived()))
	end := reads(display, "alarms", &displayed, lift.StartAtEarliestReceived())
	rings := func(from, to int) {
		for n := from; n < to; n++ {
			for {
				if _, err := plant.Publish(within(4*time.Second), "alarms", []byte(fmt.Sprintf("alarm %d: pump %d is hot", n, n%5)), lift.AckPolicyLeader()); err == nil {
					counted["rung"]++
					break
				}
				counted["tried_again"]++
				time.Sleep(700 * time.Millisecond)
			}
			time.Sleep(150 * time.Millisecond)
		}
	}
	rings(0, 16)
	must(plant.Close())
	ask("RESTART lift-1")
	time.Sleep(4 * time.Second)
	plant = connect()
	for n := 0; n < 4; n++ {
		if _, err := watch.FetchPartitionMetadata(within(2*time.Second), "alarms", 0); err == nil {
			counted["watch_asked"]++
		}
		rings(16+8*n, 24+8*n)
	}
	time.Sleep(700 * time.Millisecond)
	counted["watched"], counted["displayed"] = watched.Load(), displayed.Load()
	end()
	cancel()
	for _, each := range []lift.Client{display, watch, plant} {
		must(each.Close())
	}
}

// meters publish to two partitions by key, over a restart; a reader of each goes on after what it has, and keeps a cursor.
func meters() {
	client := connect()
	must(client.CreateStream(within(5*time.Second), "meters", "meters", lift.Partitions(2)))
	time.Sleep(900 * time.Millisecond)
	over, stop := context.WithCancel(context.Background())
	var read atomic.Int64
	done := make(chan bool)
	for p := int32(0); p < 2; p++ {
		go func() {
			last := int64(-1)
			for over.Err() == nil {
				own, err := lift.Connect([]string{"127.0.0.1:9292"})
				if err != nil {
					time.Sleep(800 * time.Millisecond)
					continue
				}
				if cursor, err := own.FetchCursor(within(3*time.Second), fmt.Sprintf("bills-%d", p), "meters", p); err == nil && cursor > last {
					last = cursor
				}
				start := lift.StartAtEarliestReceived()
				if last >= 0 {
					start = lift.StartAtOffset(last + 1)
				}
				ended := make(chan bool, 1)
				got := make(chan int64, 500)
				err = own.Subscribe(over, "meters", func(m *lift.Message, err error) {
					if err != nil {
						select {
						case ended <- true:
						default:
						}
						return
					}
					got <- m.Offset()
					read.Add(1)
				}, start, lift.Partition(p))
				for going, since := err == nil, 0; going; {
					select {
					case last = <-got:
						if since++; since%10 == 0 {
							_ = own.SetCursor(within(3*time.Second), fmt.Sprintf("bills-%d", p), "meters", p, last)
						}
					case <-ended:
						going = false
					case <-over.Done():
						_ = own.SetCursor(within(3*time.Second), fmt.Sprintf("bills-%d", p), "meters", p, last)
						going = false
					}
				}
				_ = own.Close()
				if over.Err() == nil {
					time.Sleep(3500 * time.Millisecond)
				}
			}
			done <- true
		}()
	}
	publishes := func(from, to int) {
		for n := from; n < to; n++ {
			for {
				if _, err := client.Publish(within(4*time.Second), "meters", []byte(fmt.Sprintf("meter %d: %d kWh", n%9, 1000+n)), lift.Key([]byte(fmt.Sprint(n%9))), lift.PartitionByKey(), lift.AckPolicyLeader()); err == nil {
					counted["published"]++
					break
				}
				counted["tried_again"]++
				time.Sleep(700 * time.Millisecond)
			}
			time.Sleep(80 * time.Millisecond)
		}
	}
	publishes(0, 40)
	must(client.Close())
	time.Sleep(time.Second)
	ask("RESTART lift-1")
	time.Sleep(4500 * time.Millisecond)
	client = connect()
	publishes(40, 80)
	time.Sleep(2500 * time.Millisecond)
	stop()
	<-done
	<-done
	counted["read"] = read.Load()
	must(client.Close())
}

func main() {
	map[string]func(){
		"audit_of_new_bills_only":  func() { bills(false) },
		"audit_of_all_bills":       func() { bills(true) },
		"subscription_not_renewed": func() { alarms() },
		"meters_over_a_restart":    func() { meters() },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
