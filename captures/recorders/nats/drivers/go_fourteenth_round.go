// What nats.go is made to do in the fourteenth round of the blind test; prints what it counted.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func conn(name string) *nats.Conn {
	nc, err := nats.Connect("nats://127.0.0.1:4222", nats.Name(name), nats.MaxReconnects(-1), nats.ReconnectWait(250*time.Millisecond))
	check(err)
	return nc
}

var renewed, refused, taken, jobs atomic.Int64

// scheduler holds the lock of the scheduler for some seconds, does jobs, and is gone without giving it back.
func scheduler(withTTL bool, leads time.Duration) {
	c := context.Background()
	admin := conn("admin")
	js, err := jetstream.New(admin)
	check(err)
	bucket, err := js.CreateKeyValue(c, jetstream.KeyValueConfig{Bucket: "locks", LimitMarkerTTL: 2 * time.Second, Storage: jetstream.MemoryStorage})
	check(err)
	_, err = js.CreateStream(c, jetstream.StreamConfig{Name: "JOBS", Subjects: []string{"jobs.>"}, Storage: jetstream.MemoryStorage})
	check(err)
	_, err = bucket.PutString(c, "settings.cleaning", "each night")
	check(err)
	var wait sync.WaitGroup
	for n := 0; n < 2; n++ {
		wait.Add(1)
		go func() {
			defer wait.Done()
			name := fmt.Sprintf("scheduler-%d", n)
			nc := conn(name)
			own, err := jetstream.New(nc)
			check(err)
			locks, err := own.KeyValue(c, "locks")
			check(err)
			time.Sleep(time.Duration(n) * 600 * time.Millisecond)
			end := time.Now().Add(14 * time.Second)
			var revision uint64
			var since time.Time
			for time.Now().Before(end) {
				switch {
				case revision == 0:
					if made, err := locks.Create(c, "scheduler", []byte(name), jetstream.KeyTTL(2*time.Second)); err == nil {
						revision, since = made, time.Now()
						taken.Add(1)
					} else if errors.Is(err, jetstream.ErrKeyExists) {
						refused.Add(1)
					}
				case n == 0 && time.Since(since) > leads:
					nc.Close()
					return
				default:
					if withTTL {
						m := nats.NewMsg("$KV.locks.scheduler")
						m.Data = []byte(name)
						m.Header.Set("Nats-TTL", "2s")
						m.Header.Set(nats.ExpectedLastSubjSeqHdr, fmt.Sprint(revision))
						ack, err := own.PublishMsg(c, m)
						if err != nil {
							revision = 0
							continue
						}
						revision = ack.Sequence
					} else if next, err := locks.Update(c, "scheduler", []byte(name), revision); err == nil {
						revision = next
					} else {
						revision = 0
						continue
					}
					renewed.Add(1)
					_, err := own.Publish(c, "jobs.cleaning", []byte(fmt.Sprintf("clean room %d", renewed.Load())))
					check(err)
					jobs.Add(1)
				}
				time.Sleep(700 * time.Millisecond)
			}
			check(nc.Drain())
		}()
	}
	wait.Wait()
	admin.Close()
}

func main() {
	map[string]func(){
		"renewed_without_its_ttl": func() { scheduler(false, 4*time.Second) },
		"renewed_with_its_ttl":    func() { scheduler(true, 4*time.Second) },
	}[os.Args[1]]()
	fmt.Printf("{\"renewed\": %d, \"refused\": %d, \"taken\": %d, \"jobs\": %d}\n", renewed.Load(), refused.Load(), taken.Load(), jobs.Load())
}
