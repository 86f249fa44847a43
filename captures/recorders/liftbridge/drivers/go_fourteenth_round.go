// Plays the fourteenth round of the blind test by go-liftbridge; prints what it counted as JSON.
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

func connect(servers ...string) lift.Client {
	if len(servers) == 0 {
		servers = []string{"127.0.0.1:9292"}
	}
	client, err := lift.Connect(servers)
	must(err)
	return client
}

// ask lets the recorder do something to a server, and waits until it is done.
func ask(what string) {
	fmt.Println(what)
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
}

// payments publishes until a payment is acknowledged, and waits for each acknowledgement as long as `patience`; a replica ends in between.
func payments(patience time.Duration) {
	client := connect("127.0.0.1:9292", "127.0.0.1:9293")
	must(client.CreateStream(within(8*time.Second), "payments", "payments", lift.ReplicationFactor(3)))
	must(client.CreateStream(within(8*time.Second), "visits", "visits", lift.ReplicationFactor(1)))
	time.Sleep(1500 * time.Millisecond)
	meta, err := client.FetchMetadata(context.Background())
	must(err)
	leader := meta.GetStream("payments").GetPartition(0).Leader().ID()
	follower := ""
	for _, each := range meta.GetStream("payments").GetPartition(0).Replicas() {
		if each.ID() != leader && each.ID() != "lift-1" {
			follower = each.ID()
		}
	}
	var read atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	must(client.Subscribe(c, "payments", func(m *lift.Message, err error) {
		if err == nil {
			read.Add(1)
		}
	}, lift.StartAtEarliestReceived()))
	pays := func(n int) {
		for attempt := 0; attempt < 12; attempt++ {
			counted["tries"]++
			if _, err := client.Publish(within(patience), "payments", []byte(fmt.Sprintf("payment %d: %d EUR from account %d", n, 10+7*n, n%13)), lift.Key([]byte(fmt.Sprint(n%13))), lift.AckPolicyAll()); err == nil {
				counted["acknowledged"]++
				return
			}
		}
		counted["given_up"]++
	}
	for n := 0; n < 8; n++ {
		pays(n)
		time.Sleep(120 * time.Millisecond)
	}
	go ask("KILL " + follower)
	time.Sleep(500 * time.Millisecond)
	for n := 8; n < 16; n++ {
		pays(n)
		time.Sleep(120 * time.Millisecond)
	}
	time.Sleep(2500 * time.Millisecond)
	counted["read"] = read.Load()
	cancel()
	must(client.Close())
}

// measurements are kept for a while only; an archive reads them at intervals and goes on at its cursor.
func measurements(keeps int64, away time.Duration) {
	client := connect()
	must(client.CreateStream(within(5*time.Second), "plant.heat", "heat", lift.RetentionMaxMessages(keeps), lift.SegmentMaxBytes(600), lift.CleanerInterval(500*time.Millisecond)))
	must(client.CreateStream(within(5*time.Second), "plant.log", "log"))
	time.Sleep(900 * time.Millisecond)
	stop := make(chan bool)
	var sent atomic.Int64
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := client.Publish(within(5*time.Second), "heat", []byte(fmt.Sprintf("measurement %d: %d degrees at boiler %d", n, 60+n%9, n%3)), lift.AckPolicyLeader()); err == nil {
				sent.Add(1)
			}
			time.Sleep(60 * time.Millisecond)
		}
	}()
	for run := 0; run < 4; run++ {
		own := connect()
		cursor, err := own.FetchCursor(within(5*time.Second), "archive", "heat", 0)
		must(err)
		start := lift.StartAtEarliestReceived()
		if cursor >= 0 {
			start = lift.StartAtOffset(cursor + 1)
		}
		var last atomic.Int64
		last.Store(cursor)
		c, cancel := context.WithCancel(context.Background())
		must(own.Subscribe(c, "heat", func(m *lift.Message, err error) {
			if err == nil {
				if before := last.Swap(m.Offset()); before >= 0 && m.Offset() > before+1 {
					counted["missing"] += m.Offset() - before - 1
				}
				counted["archived"]++
			}
		}, start))
		time.Sleep(1200 * time.Millisecond)
		cancel()
		time.Sleep(100 * time.Millisecond)
		must(own.SetCursor(within(5*time.Second), "archive", "heat", 0, last.Load()))
		_, err = own.Publish(within(5*time.Second), "log", []byte(fmt.Sprintf("archived up to %d", last.Load())), lift.AckPolicyLeader())
		must(err)
		must(own.Close())
		time.Sleep(away)
	}
	close(stop)
	time.Sleep(300 * time.Millisecond)
	counted["published"] = sent.Load()
	must(client.Close())
}

// pages has a web server that shows the newest news on each page; it ends the subscription of a page with the page, or never.
func pages(ends bool) {
	editor, web := connect(), connect()
	must(editor.CreateStream(within(5*time.Second), "news", "news"))
	must(editor.CreateStream(within(5*time.Second), "visits", "visits"))
	time.Sleep(900 * time.Millisecond)
	var shown atomic.Int64
	for n := 0; n < 26; n++ {
		if n%2 == 0 {
			_, err := editor.Publish(within(5*time.Second), "news", []byte(fmt.Sprintf("news %d: rain in the north", n)), lift.AckPolicyLeader())
			must(err)
			counted["published"]++
		}
		c, cancel := context.WithCancel(context.Background())
		must(web.Subscribe(c, "news", func(m *lift.Message, err error) {
			if err == nil {
				shown.Add(1)
			}
		}, lift.StartAtLatestReceived()))
		_, err := web.Publish(within(5*time.Second), "visits", []byte(fmt.Sprintf("page %d", n)), lift.AckPolicyLeader())
		must(err)
		time.Sleep(300 * time.Millisecond)
		if ends {
			cancel()
		}
		_ = cancel
	}
	time.Sleep(400 * time.Millisecond)
	counted["shown"] = shown.Load()
	must(web.Close())
	must(editor.Close())
}

// warehouse has readers of three partitions and a group that work while the server is restarted.
func warehouse() {
	client := connect()
	must(client.CreateStream(within(5*time.Second), "parcels", "parcels", lift.Partitions(3)))
	must(client.CreateStream(within(5*time.Second), "labels", "labels", lift.CompactEnabled(true)))
	time.Sleep(900 * time.Millisecond)
	var read atomic.Int64
	var lasts [3]atomic.Int64
	over, stop := context.WithCancel(context.Background())
	for p := int32(0); p < 3; p++ {
		lasts[p].Store(-1)
		go func() {
			for over.Err() == nil {
				own, err := lift.Connect([]string{"127.0.0.1:9292"})
				if err != nil {
					time.Sleep(500 * time.Millisecond)
					continue
				}
				start := lift.StartAtEarliestReceived()
				if lasts[p].Load() >= 0 {
					start = lift.StartAtOffset(lasts[p].Load() + 1)
				}
				ended := make(chan bool, 1)
				err = own.Subscribe(over, "parcels", func(m *lift.Message, err error) {
					if err != nil {
						select {
						case ended <- true:
						default:
						}
						return
					}
					lasts[p].Store(m.Offset())
					read.Add(1)
				}, start, lift.Partition(p))
				if err == nil {
					select {
					case <-ended:
					case <-over.Done():
					}
				}
				_ = own.Close()
				time.Sleep(4 * time.Second)
			}
		}()
	}
	publishes := func(from, to int) {
		for n := from; n < to; n++ {
			for {
				if _, err := client.Publish(within(6*time.Second), "parcels", []byte(fmt.Sprintf("parcel %d of %d kg", n, n%9)), lift.Key([]byte(fmt.Sprint(n%7))), lift.PartitionByKey(), lift.AckPolicyLeader()); err == nil {
					counted["published"]++
					break
				}
				counted["tried_again"]++
				time.Sleep(700 * time.Millisecond)
			}
			if n%8 == 0 {
				if _, err := client.Publish(within(5*time.Second), "labels", []byte(fmt.Sprintf("label %d", n)), lift.Key([]byte("printer")), lift.AckPolicyLeader()); err == nil {
					counted["labels"]++
				}
			}
			time.Sleep(90 * time.Millisecond)
		}
	}
	publishes(0, 30)
	must(client.Close())
	time.Sleep(6500 * time.Millisecond)
	ask("RESTART lift-1")
	time.Sleep(3 * time.Second)
	client = connect()
	publishes(30, 66)
	must(client.PauseStream(within(5*time.Second), "labels"))
	time.Sleep(1800 * time.Millisecond)
	stop()
	counted["read"] = read.Load()
	time.Sleep(400 * time.Millisecond)
	must(client.Close())
}

func main() {
	map[string]func(){
		"acks_waited_for_too_short":     func() { payments(900 * time.Millisecond) },
		"acks_waited_for_over_a_loss":   func() { payments(15 * time.Second) },
		"kept_shorter_than_it_is_away":  func() { measurements(30, 3200*time.Millisecond) },
		"kept_longer_than_it_is_away":   func() { measurements(400, 1600*time.Millisecond) },
		"subscription_for_each_page":    func() { pages(false) },
		"subscription_ends_with_a_page": func() { pages(true) },
		"warehouse_of_parcels":          func() { warehouse() },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
