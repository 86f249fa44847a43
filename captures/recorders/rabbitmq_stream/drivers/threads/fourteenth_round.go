// Plays the fourteenth round of the blind test by the Go client; prints what it counted as JSON.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/message"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func environment() *stream.Environment {
	env, err := stream.NewEnvironment(stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest"))
	check(err)
	return env
}

func options() *stream.StreamOptions {
	return stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))
}

func after(env *stream.Environment, reference, name string) stream.OffsetSpecification {
	if stored, err := env.QueryOffset(reference, name); err == nil {
		return stream.OffsetSpecification{}.Offset(stored + 1)
	}
	return stream.OffsetSpecification{}.First()
}

func numbered(id, text string) *amqp.AMQP10 {
	m := amqp.NewMessage([]byte(text))
	m.Properties = &amqp.MessageProperties{MessageID: id}
	return m
}

// Uploads photos, while a resizer is started again each time it crashes.
func pipeline(how, photos string) {
	env := environment()
	thumbs := photos + "-thumbs"
	check(env.DeclareStream(photos, options()))
	check(env.DeclareStream(thumbs, options()))
	p, err := env.NewProducer(photos, stream.NewProducerOptions().SetClientProvidedName("uploads"))
	check(err)
	over := make(chan bool)
	go func() {
		for n := 0; n < 20; n++ {
			all := []message.StreamMessage{}
			for i := 0; i < 6; i++ {
				all = append(all, numbered(fmt.Sprintf("photo-%d", 6*n+i), fmt.Sprintf("photo %d of album %d", 6*n+i, n)))
			}
			check(p.BatchSend(all))
			time.Sleep(300 * time.Millisecond)
		}
		over <- true
	}()
	for _, last := range []string{"21", "33", "9999"} {
		_ = exec.Command(os.Args[0], "resizer", photos, how, last).Run() // the first two end by a crash
		time.Sleep(400 * time.Millisecond)
	}
	<-over
	check(p.Close())
	var results atomic.Int64
	c, err := env.NewConsumer(thumbs, func(stream.ConsumerContext, *amqp.Message) { results.Add(1) },
		stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First()).SetClientProvidedName("gallery"))
	check(err)
	time.Sleep(900 * time.Millisecond)
	check(c.Close())
	check(env.Close())
	fmt.Printf("{\"published\": 120, \"results\": %d}\n", results.Load())
}

// A resizer that crashes after some photos; it stores the offset of a photo before or after its thumbnail is confirmed.
func resizer(photos, how string, last int) {
	env := environment()
	p, err := env.NewProducer(photos+"-thumbs", stream.NewProducerOptions().SetClientProvidedName("resizer"))
	check(err)
	var confirmed atomic.Int64
	go func() {
		for all := range p.NotifyPublishConfirmation() {
			confirmed.Add(int64(len(all)))
		}
	}()
	type job struct {
		id     string
		offset int64
	}
	jobs := make(chan job, 4000)
	c, err := env.NewConsumer(photos, func(c stream.ConsumerContext, m *amqp.Message) {
		offset := c.Consumer.GetOffset()
		if how == "early" && offset%6 == 5 {
			_ = c.Consumer.StoreCustomOffset(offset)
		}
		jobs <- job{fmt.Sprint(m.Properties.MessageID), offset}
	}, stream.NewConsumerOptions().SetConsumerName("resizer").SetManualCommit().SetOffset(after(env, "resizer", photos)).SetClientProvidedName("resizer"))
	check(err)
	var done int64
	for {
		select {
		case one := <-jobs:
			time.Sleep(55 * time.Millisecond) // the work
			thumb := amqp.NewMessage([]byte("thumbnail of " + one.id))
			thumb.Properties = &amqp.MessageProperties{CorrelationID: one.id}
			check(p.BatchSend([]message.StreamMessage{thumb}))
			done++
			for n := 0; confirmed.Load() < done && n < 100; n++ {
				time.Sleep(5 * time.Millisecond)
			}
			if how == "late" && done%6 == 0 {
				_ = c.StoreCustomOffset(one.offset)
			}
			if int(done) == last {
				time.Sleep(30 * time.Millisecond)
				os.Exit(3)
			}
		case <-time.After(1500 * time.Millisecond):
			check(c.Close())
			check(p.Close())
			check(env.Close())
			return
		}
	}
}

// Four runs of a ledger that stores how many messages it has handled, or the offset of the last one.
func counts(how, name string) {
	env := environment()
	check(env.DeclareStream(name, options()))
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("tills"))
	check(err)
	over := make(chan int)
	go func() {
		n := 0
		for round := 0; round < 60; round++ {
			all := []message.StreamMessage{}
			for i := 0; i < 4; i++ {
				all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("sale %d at till %d", n, n%5))))
				n++
			}
			check(p.BatchSend(all))
			time.Sleep(150 * time.Millisecond)
		}
		over <- n
	}()
	var handled, again atomic.Int64
	seen := map[string]bool{}
	for run := 0; run < 4; run++ {
		own := environment()
		c, err := own.NewConsumer(name, func(c stream.ConsumerContext, m *amqp.Message) {
			text := string(m.GetData())
			if seen[text] {
				again.Add(1)
			}
			seen[text] = true
			if n := handled.Add(1); n%10 == 0 {
				if how == "count" {
					_ = c.Consumer.StoreCustomOffset(n)
				} else {
					_ = c.Consumer.StoreOffset()
				}
			}
		}, stream.NewConsumerOptions().SetConsumerName("ledger").SetManualCommit().SetOffset(after(own, "ledger", name)).SetClientProvidedName("ledger"))
		check(err)
		time.Sleep(2300 * time.Millisecond)
		if how == "count" {
			_ = c.StoreCustomOffset(handled.Load())
		} else {
			_ = c.StoreOffset()
		}
		time.Sleep(100 * time.Millisecond)
		check(c.Close())
		check(own.Close())
		time.Sleep(250 * time.Millisecond)
	}
	published := <-over
	check(p.Close())
	check(env.Close())
	fmt.Printf("{\"published\": %d, \"handled\": %d, \"handled_again\": %d}\n", published, handled.Load(), again.Load())
}

// An operator's tool beside a busy consumer: streams come and go, metadata and statistics are asked, and it rests.
func admin(prefix string) {
	env, work := environment(), environment()
	base := prefix + "-events"
	check(env.DeclareStream(base, options()))
	var consumed atomic.Int64
	p, err := work.NewProducer(base, stream.NewProducerOptions().SetClientProvidedName("events"))
	check(err)
	c, err := work.NewConsumer(base, func(stream.ConsumerContext, *amqp.Message) { consumed.Add(1) },
		stream.NewConsumerOptions().SetConsumerName("archive").SetOffset(stream.OffsetSpecification{}.First()).SetClientProvidedName("archive").
			SetAutoCommit(stream.NewAutoCommitStrategy().SetCountBeforeStorage(25).SetFlushInterval(2*time.Second)))
	check(err)
	published, absent := 0, 0
	for round := 0; round < 8; round++ {
		all := []message.StreamMessage{}
		for i := 0; i < 9; i++ {
			all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("event %d: %s", published, strings.Repeat("x", 20+7*i)))))
			published++
		}
		check(p.BatchSend(all))
		name := fmt.Sprintf("%s-job-%d", prefix, round)
		check(env.DeclareStream(name, options()))
		exists, err := env.StreamExists(name)
		check(err)
		if !exists {
			absent++
		}
		if _, err := env.StreamMetaData(base); err != nil {
			absent++
		}
		if _, err := env.StreamStats(base); err != nil {
			absent++
		}
		q, err := env.NewProducer(name, stream.NewProducerOptions())
		check(err)
		check(q.BatchSend(all[:3]))
		time.Sleep(250 * time.Millisecond)
		check(q.Close())
		if round > 1 {
			check(env.DeleteStream(fmt.Sprintf("%s-job-%d", prefix, round-2)))
		}
		time.Sleep(200 * time.Millisecond)
	}
	check(env.DeclareSuperStream(prefix+"-regions", stream.NewPartitionsOptions(3)))
	if _, err := env.QueryPartitions(prefix + "-regions"); err != nil {
		absent++
	}
	if exists, _ := env.StreamExists(prefix + "-never-made"); exists {
		absent++
	}
	time.Sleep(6 * time.Second)
	check(env.DeleteSuperStream(prefix + "-regions"))
	check(c.Close())
	check(p.Close())
	check(work.Close())
	check(env.Close())
	fmt.Printf("{\"published\": %d, \"consumed\": %d, \"unexpected\": %d}\n", published, consumed.Load(), absent)
}

// A feed that others read: bursts, and pauses.
func feed(name string) {
	env := environment()
	check(env.DeclareStream(name, options()))
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetProducerName("feed").SetClientProvidedName("feed"))
	check(err)
	n := 0
	for burst := 0; burst < 9; burst++ {
		for i := 0; i < 4+burst%3*9; i++ {
			m := amqp.NewMessage([]byte(fmt.Sprintf("quote %d of paper %d", n, n%4)))
			m.SetPublishingId(int64(n + 1))
			check(p.Send(m))
			n++
		}
		time.Sleep(time.Duration(350+450*(burst%4)) * time.Millisecond)
	}
	check(p.Close())
	check(env.Close())
	fmt.Printf("{\"published\": %d}\n", n)
}

// Steps of parcels by two connections in turn, one of which waits longer for its batch.
func parcels(name string) {
	env, other := environment(), environment()
	check(env.DeclareStream(name, options()))
	pool := []*stream.Producer{}
	for n, each := range []*stream.Environment{env, other} {
		p, err := each.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName(fmt.Sprintf("depot-%d", n)))
		check(err)
		pool = append(pool, p)
	}
	sent := 0
	waiting := [2][]message.StreamMessage{}
	for step := 0; step < 12; step++ {
		for parcel := 0; parcel < 5; parcel++ {
			m := amqp.NewMessage([]byte(fmt.Sprintf("step %d of parcel %d", step, parcel)))
			m.Properties = &amqp.MessageProperties{GroupID: fmt.Sprintf("parcel-%d", parcel), GroupSequence: uint32(step)}
			waiting[sent%2] = append(waiting[sent%2], m)
			sent++
		}
		for n := range pool {
			if len(waiting[n]) >= 3+5*n || step == 11 {
				check(pool[n].BatchSend(waiting[n]))
				waiting[n] = nil
			}
		}
		time.Sleep(150 * time.Millisecond)
	}
	time.Sleep(900 * time.Millisecond)
	for _, p := range pool {
		check(p.Close())
	}
	check(other.Close())
	check(env.Close())
	fmt.Printf("{\"published\": %d}\n", sent)
}

// Two members of a group; the handler of the active one hangs.
func hangs(name string) {
	env := environment()
	check(env.DeclareStream(name, options()))
	p, err := env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("shop"))
	check(err)
	var handled atomic.Int64
	for n := 0; n < 2; n++ {
		own := environment()
		_, err := own.NewConsumer(name, func(stream.ConsumerContext, *amqp.Message) {
			if handled.Add(1) == 45 {
				select {} // waits for a database that never answers
			}
			time.Sleep(15 * time.Millisecond)
		}, stream.NewConsumerOptions().SetConsumerName("billing").SetOffset(stream.OffsetSpecification{}.First()).SetInitialCredits(3).
			SetClientProvidedName(fmt.Sprintf("billing-%d", n)).
			SetSingleActiveConsumer(stream.NewSingleActiveConsumer(func(string, bool) stream.OffsetSpecification {
				return stream.OffsetSpecification{}.First()
			})))
		check(err)
		time.Sleep(300 * time.Millisecond)
	}
	for n := 0; n < 70; n++ {
		check(p.BatchSend([]message.StreamMessage{amqp.NewMessage([]byte(fmt.Sprintf("bill %d", 2*n))), amqp.NewMessage([]byte(fmt.Sprintf("bill %d", 2*n+1)))}))
		time.Sleep(140 * time.Millisecond)
	}
	fmt.Printf("{\"published\": 140, \"handled\": %d}\n", handled.Load())
	os.Exit(0)
}

func main() {
	switch os.Args[1] {
	case "resizer":
		var last int
		_, _ = fmt.Sscan(os.Args[4], &last)
		resizer(os.Args[2], os.Args[3], last)
	case "early", "late":
		pipeline(os.Args[1], os.Args[2])
	case "count", "offset":
		counts(os.Args[1], os.Args[2])
	case "parcels":
		parcels(os.Args[2])
	case "hangs":
		hangs(os.Args[2])
	case "admin":
		admin(os.Args[2])
	default:
		feed(os.Args[2])
	}
}
