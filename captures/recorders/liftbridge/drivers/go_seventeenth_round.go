// Plays the seventeenth round of the blind test by go-liftbridge; prints what it counted as JSON.
package main

import (
	"bufio"
	"context"
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

func connect() lift.Client {
	client, err := lift.Connect([]string{"127.0.0.1:9292"})
	must(err)
	return client
}

// A well publishes its level on one call, over a line that goes dead; a map subscribes on a new connection afterwards.
func main() {
	well := connect()
	must(well.CreateStream(within(5*time.Second), "levels", "levels"))
	time.Sleep(900 * time.Millisecond)
	var written, acked, shown atomic.Int64
	for n := 0; n < 50; n++ {
		if n == 12 {
			fmt.Println("dead")
			_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
			other := connect()
			must(other.Subscribe(context.Background(), "levels", func(m *lift.Message, err error) {
				if err == nil {
					shown.Add(1)
				}
			}, lift.StartAtEarliestReceived()))
		}
		go func(n int) {
			written.Add(1)
			_ = well.PublishAsync(within(2*time.Minute), "levels", []byte(fmt.Sprintf("level %d cm", 400+n)), func(a *lift.Ack, err error) {
				if err == nil {
					acked.Add(1)
				}
			}, lift.AckPolicyLeader())
		}(n)
		time.Sleep(500 * time.Millisecond)
	}
	fmt.Printf("{\"written\": %d, \"acked\": %d, \"shown\": %d}\n", written.Load(), acked.Load(), shown.Load())
	os.Exit(0)
}
