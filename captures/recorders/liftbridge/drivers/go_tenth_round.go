// Plays the tenth round of the blind test by go-liftbridge; prints what it counted as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
)

var servers = []string{"127.0.0.1:9292"}

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
	client, err := lift.Connect(servers)
	must(err)
	return client
}

// restarts has four runs of a reader, which goes on by a cursor or by the offset that it has noted itself.
func restarts(cursors bool) {
	owner := connect()
	must(owner.CreateStream(ctx(), "alerts", "alerts"))
	time.Sleep(1500 * time.Millisecond)
	stop, done := make(chan bool), make(chan bool)
	var published atomic.Int64
	go func() {
		defer close(done)
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(110 * time.Millisecond):
				_, err := owner.Publish(ctx(), "alerts", []byte(fmt.Sprintf("alert %d of rack %d", n, n%6)), lift.AckPolicyLeader())
				must(err)
				published.Add(1)
			}
		}
	}()
	var noted, read, refused atomic.Int64
	noted.Store(-1)
	for run := 0; run < 4; run++ {
		time.Sleep(600 * time.Millisecond)
		reader := connect()
		start := lift.StartAtEarliestReceived()
		if cursors {
			if at, err := reader.FetchCursor(ctx(), "pager", "alerts", 0); err == nil && at >= 0 {
				start = lift.StartAtOffset(at + 1)
			} else if err != nil {
				refused.Add(1)
			}
		} else if noted.Load() >= 0 {
			start = lift.StartAtOffset(noted.Load() + 1)
		}
		c, cancel := context.WithCancel(context.Background())
		must(reader.Subscribe(c, "alerts", func(m *lift.Message, err error) {
			if err != nil {
				return
			}
			read.Add(1)
			noted.Store(m.Offset())
			if cursors && m.Offset()%4 == 3 {
				if reader.SetCursor(ctx(), "pager", "alerts", 0, m.Offset()) != nil {
					refused.Add(1)
				}
			}
		}, start))
		time.Sleep(1500 * time.Millisecond)
		cancel()
		must(reader.Close())
	}
	close(stop)
	<-done
	counted["published"], counted["read"], counted["refused"] = published.Load(), read.Load(), refused.Load()
	must(owner.Close())
}

// doors publishes now and then into a stream that is paused when it is idle, also while it is read or not.
func doors(whileRead bool) {
	owner, reader := connect(), connect()
	options := []lift.StreamOption{lift.AutoPauseTime(900 * time.Millisecond)}
	if !whileRead {
		options = append(options, lift.AutoPauseDisableIfSubscribers(true))
	}
	must(owner.CreateStream(ctx(), "doors", "doors", options...))
	time.Sleep(700 * time.Millisecond)
	go func() {
		for n := 0; n < 5; n++ {
			for k := 0; k < 3; k++ {
				if _, err := owner.Publish(ctx(), "doors", []byte(fmt.Sprintf("door %d opened", n*3+k)), lift.AckPolicyLeader()); err == nil {
					counted["published"]++
				}
			}
			time.Sleep(2600 * time.Millisecond)
		}
	}()
	time.Sleep(200 * time.Millisecond)
	var next, read, ended, refused atomic.Int64
	end := time.Now().Add(13 * time.Second)
	for time.Now().Before(end) {
		over := make(chan bool, 1)
		c, cancel := context.WithCancel(context.Background())
		err := reader.Subscribe(c, "doors", func(m *lift.Message, err error) {
			if err != nil {
				ended.Add(1)
				select {
				case over <- true:
				default:
				}
				return
			}
			next.Store(m.Offset() + 1)
			read.Add(1)
		}, lift.StartAtOffset(next.Load()))
		if err != nil {
			refused.Add(1)
		} else {
			select {
			case <-over:
			case <-time.After(time.Until(end)):
			}
		}
		cancel()
		time.Sleep(400 * time.Millisecond)
	}
	counted["read"], counted["ended"], counted["refused"] = read.Load(), ended.Load(), refused.Load()
	must(reader.Close())
	must(owner.Close())
}

func main() {
	map[string]func(){
		"cursors_turned_off":     func() { restarts(true) },
		"paused_while_read":      func() { doors(true) },
		"not_paused_while_read":  func() { doors(false) },
		"offset_noted_by_itself": func() { restarts(false) },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
