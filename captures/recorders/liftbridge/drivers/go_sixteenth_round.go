// Plays the sixteenth round of the blind test by go-liftbridge; prints what it counted as JSON.
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

func connect() lift.Client {
	client, err := lift.Connect([]string{"127.0.0.1:9292"})
	must(err)
	return client
}

// prices are published; a shop subscribes each time that it shows a page, and takes the first message. It ends the subscription then, or leaves it.
func prices(ends bool) {
	exchange, shop, archive := connect(), connect(), connect()
	must(exchange.CreateStream(within(5*time.Second), "shop.prices", "prices"))
	time.Sleep(900 * time.Millisecond)
	var delivered, archived atomic.Int64
	c, cancel := context.WithCancel(context.Background())
	must(archive.Subscribe(c, "prices", func(m *lift.Message, err error) {
		if err == nil {
			archived.Add(1)
		}
	}, lift.StartAtEarliestReceived()))
	page := func() {
		first := make(chan bool, 1000)
		c, cancel := context.WithCancel(context.Background())
		must(shop.Subscribe(c, "prices", func(m *lift.Message, err error) {
			if err == nil {
				delivered.Add(1)
				first <- true
			}
		}, lift.StartAtLatestReceived()))
		<-first
		counted["pages"]++
		if ends {
			cancel()
		}
	}
	for n := 0; n < 36; n++ {
		_, err := exchange.Publish(within(5*time.Second), "prices", []byte(fmt.Sprintf("apples: %d cents", 200+7*n)), lift.AckPolicyLeader())
		must(err)
		counted["published"]++
		if n%4 == 2 {
			page()
		}
		time.Sleep(250 * time.Millisecond)
	}
	time.Sleep(400 * time.Millisecond)
	counted["delivered"], counted["archived"] = delivered.Load(), archived.Load()
	cancel()
	for _, each := range []lift.Client{shop, archive, exchange} {
		must(each.Close())
	}
}

// parcels are taken by a group of couriers: the second one joins later, and the first one leaves in order.
func parcels() {
	depot := connect()
	must(depot.CreateStream(within(5*time.Second), "depot.parcels", "parcels", lift.Partitions(3)))
	time.Sleep(900 * time.Millisecond)
	var taken [2]atomic.Int64
	couriers, over := [2]lift.Client{connect(), connect()}, [2]context.CancelFunc{}
	consumers := [2]*lift.Consumer{}
	joins := func(n int) {
		own, err := couriers[n].CreateConsumer("couriers", lift.ConsumerID(fmt.Sprintf("courier-%d", n)), lift.AutoOffsetEarliest())
		must(err)
		consumers[n] = own
		var c context.Context
		c, over[n] = context.WithCancel(context.Background())
		must(own.Subscribe(c, []string{"parcels"}, func(m *lift.Message, err error) {
			if err == nil {
				taken[n].Add(1)
			}
		}))
	}
	brings := func(from, to int) {
		for n := from; n < to; n++ {
			_, err := depot.Publish(within(5*time.Second), "parcels", []byte(fmt.Sprintf("parcel %d for street %d", n, n%7)), lift.Key([]byte(fmt.Sprint(n%7))), lift.PartitionByKey(), lift.AckPolicyLeader())
			must(err)
			counted["brought"]++
			time.Sleep(130 * time.Millisecond)
		}
	}
	joins(0)
	time.Sleep(2500 * time.Millisecond)
	brings(0, 24)
	joins(1)
	time.Sleep(3 * time.Second)
	brings(24, 48)
	must(consumers[0].Close())
	over[0]()
	must(couriers[0].Close())
	time.Sleep(3 * time.Second)
	brings(48, 64)
	time.Sleep(2500 * time.Millisecond)
	counted["courier_0"], counted["courier_1"] = taken[0].Load(), taken[1].Load()
	must(consumers[1].Close())
	over[1]()
	must(couriers[1].Close())
	must(depot.Close())
}

func main() {
	map[string]func(){
		"subscriptions_left_open":     func() { prices(false) },
		"subscriptions_ended_by_page": func() { prices(true) },
		"parcels_of_two_couriers":     func() { parcels() },
	}[os.Args[1]]()
	text, err := json.Marshal(counted)
	must(err)
	fmt.Println(string(text))
}
