// Plays the fifteenth round of the blind test by an earlier go-liftbridge; prints what it counted as JSON.
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

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func within(d time.Duration) context.Context {
	c, _ := context.WithTimeout(context.Background(), d)
	return c
}

// main has a till that publishes sales by PublishAsync over a restart of the server, and a reader that follows them.
func main() {
	till, err := lift.Connect([]string{"127.0.0.1:9292"})
	must(err)
	must(till.CreateStream(within(5*time.Second), "till.sales", "sales"))
	time.Sleep(900 * time.Millisecond)
	var sold, acknowledged, failed, refused atomic.Int64
	sells := func(from, to int) {
		for n := from; n < to; n++ {
			sold.Add(1)
			err := till.PublishAsync(within(2*time.Second), "sales", []byte(fmt.Sprintf("sale %d: %d loaves", n, 1+n%4)), func(ack *lift.Ack, err error) {
				if err != nil {
					failed.Add(1)
				} else {
					acknowledged.Add(1)
				}
			}, lift.AckPolicyLeader())
			if err != nil {
				refused.Add(1)
			}
			time.Sleep(150 * time.Millisecond)
		}
	}
	sells(0, 20)
	fmt.Println("RESTART lift-1")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	time.Sleep(4 * time.Second)
	for n := 0; n < 3; n++ {
		if _, err := till.FetchMetadata(within(2 * time.Second)); err != nil {
			failed.Add(1)
		}
		sells(20+10*n, 30+10*n)
	}
	time.Sleep(2500 * time.Millisecond)
	text, err := json.Marshal(map[string]int64{"sold": sold.Load(), "acknowledged": acknowledged.Load(), "failed": failed.Load(), "refused": refused.Load()})
	must(err)
	_ = till.Close()
	fmt.Println(string(text))
}
