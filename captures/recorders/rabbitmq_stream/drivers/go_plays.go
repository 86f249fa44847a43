// What the Go client is made to do: `go_plays PLAY STREAM`; prints last what it counted.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	goamqp "github.com/Azure/go-amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/amqp"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/ha"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/logs"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/message"
	"github.com/rabbitmq/rabbitmq-stream-go-client/pkg/stream"
)

// Facts are what a play counted.
type Facts map[string]any

var facts = Facts{}

// Count counts what consumers are handed, and what is confirmed.
type Count struct {
	sync.Mutex
	consumed, confirmed, refused, first, last, bytes int64
	streams                                          map[string]*Count
}

func newCount() *Count {
	return &Count{first: -1, last: -1, streams: map[string]*Count{}}
}

func (c *Count) add(offset int64, m *amqp.Message) {
	c.consumed++
	if c.first < 0 || offset < c.first {
		c.first = offset
	}
	if offset > c.last {
		c.last = offset
	}
	for _, data := range m.Data {
		c.bytes += int64(len(data))
	}
}

func (c *Count) take(where stream.ConsumerContext, m *amqp.Message) {
	c.Lock()
	defer c.Unlock()
	c.add(where.Consumer.GetOffset(), m)
	name := where.Consumer.GetStreamName()
	if c.streams[name] == nil {
		c.streams[name] = newCount()
	}
	c.streams[name].add(where.Consumer.GetOffset(), m)
}

func (c *Count) status(all []*stream.ConfirmationStatus) {
	c.Lock()
	defer c.Unlock()
	for _, each := range all {
		if each.IsConfirmed() {
			c.confirmed++
		} else {
			c.refused++
		}
	}
}

func (c *Count) listen(producer *stream.Producer) *stream.Producer {
	channel := producer.NotifyPublishConfirmation()
	go func() {
		for all := range channel {
			c.status(all)
		}
	}()
	return producer
}

func (c *Count) get(value *int64) int64 {
	c.Lock()
	defer c.Unlock()
	return *value
}

func (c *Count) until(value *int64, wanted int64) {
	for n := 0; n < 400 && c.get(value) < wanted; n++ {
		time.Sleep(20 * time.Millisecond)
	}
}

func (c *Count) tell(suffix string) {
	c.Lock()
	defer c.Unlock()
	facts["consumed"+suffix] = c.consumed
	facts["first_offset"+suffix] = c.first
	facts["last_offset"+suffix] = c.last
	facts["body_bytes"+suffix] = c.bytes
}

func (c *Count) sent(published int) {
	facts["published"] = published
	facts["confirmed"] = c.get(&c.confirmed)
	if refused := c.get(&c.refused); refused > 0 {
		facts["refused"] = refused
	}
}

func (c *Count) byStream() map[string]any {
	c.Lock()
	defer c.Unlock()
	all := map[string]any{}
	for name, one := range c.streams {
		all[name] = Facts{"consumed": one.consumed, "first_offset": one.first, "last_offset": one.last}
	}
	return all
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func said(err error) string {
	if err == nil {
		return "none"
	}
	return err.Error()
}

// ask lets the recorder do something and waits until it is done.
func ask(what string) {
	fmt.Println(what)
	_, _ = os.Stdin.Read(make([]byte, 1))
}

func options() *stream.EnvironmentOptions {
	return stream.NewEnvironmentOptions().SetHost("broker").SetPort(5552).SetUser("guest").SetPassword("guest")
}

func environment() *stream.Environment {
	return must(stream.NewEnvironment(options()))
}

func text(n int) message.StreamMessage {
	return amqp.NewMessage([]byte(fmt.Sprintf("message %d", n)))
}

func texts(producer *stream.Producer, from, to int) {
	all := []message.StreamMessage{}
	for n := from; n < to; n++ {
		all = append(all, text(n))
	}
	check(producer.BatchSend(all))
}

func first() *stream.ConsumerOptions {
	return stream.NewConsumerOptions().SetOffset(stream.OffsetSpecification{}.First())
}

func create(env *stream.Environment, name string) {
	check(env.DeclareStream(name, stream.NewStreamOptions().SetMaxLengthBytes(stream.ByteCapacity{}.MB(50))))
}

func publishAndConsume(name string) {
	env, count := environment(), newCount()
	check(env.DeclareStream(name, stream.NewStreamOptions().
		SetMaxLengthBytes(stream.ByteCapacity{}.MB(50)).SetMaxAge(6*time.Hour)))
	producer := count.listen(must(env.NewProducer(name, stream.NewProducerOptions().SetClientProvidedName("orders"))))
	for n := 0; n < 10; n++ {
		m := amqp.NewMessage([]byte(fmt.Sprintf("message %d", n)))
		m.Properties = &amqp.MessageProperties{MessageID: uint64(n), Subject: "order"}
		m.ApplicationProperties = map[string]any{"region": "emea", "attempt": int32(n)}
		check(producer.Send(m))
	}
	count.until(&count.confirmed, 10)
	consumer := must(env.NewConsumer(name, count.take, first().SetClientProvidedName("orders-reader")))
	count.until(&count.consumed, 10)
	texts(producer, 10, 15)
	count.until(&count.consumed, 15)
	count.until(&count.confirmed, 15)
	check(consumer.Close())
	check(producer.Close())
	ask("count")
	check(env.DeleteStream(name))
	check(env.Close())
	count.sent(15)
	count.tell("")
}

func numbered(producer *stream.Producer, from, to int) {
	for n := from; n <= to; n++ {
		m := text(n)
		m.SetPublishingId(int64(n))
		check(producer.Send(m))
	}
}

func named(name string) {
	env, count := environment(), newCount()
	create(env, name)
	producer := count.listen(must(env.NewProducer(name, stream.NewProducerOptions().SetProducerName("billing"))))
	numbered(producer, 1, 10)
	count.until(&count.confirmed, 10)
	check(producer.Close())
	facts["sequence"] = must(env.QuerySequence("billing", name))
	again := count.listen(must(env.NewProducer(name, stream.NewProducerOptions().SetProducerName("billing"))))
	facts["sequence_found"] = must(again.GetLastPublishingId())
	numbered(again, 6, 15)
	count.until(&count.confirmed, 20)
	must(env.NewConsumer(name, count.take, first()))
	count.until(&count.consumed, 15)
	time.Sleep(500 * time.Millisecond)
	check(env.Close())
	count.sent(20)
	count.tell("")
}

func subBatches(name string) {
	env, count := environment(), newCount()
	create(env, name)
	kinds := []stream.Compression{
		stream.Compression{}.None(), stream.Compression{}.Gzip(), stream.Compression{}.Snappy(),
		stream.Compression{}.Lz4(), stream.Compression{}.Zstd(),
	}
	for kind, compression := range kinds {
		producer := count.listen(must(env.NewProducer(name,
			stream.NewProducerOptions().SetSubEntrySize(15).SetBatchSize(40).SetCompression(compression))))
		all := []message.StreamMessage{}
		for n := 0; n < 40; n++ {
			all = append(all, amqp.NewMessage([]byte(fmt.Sprintf("the same words again and again, number %d", n))))
		}
		check(producer.BatchSend(all))
		count.until(&count.confirmed, int64(40*(kind+1)))
		check(producer.Close())
	}
	must(env.NewConsumer(name, count.take, first().SetCRCCheck(true)))
	count.until(&count.consumed, 200)
	time.Sleep(300 * time.Millisecond)
	check(env.Close())
	count.sent(200)
	count.tell("")
}

func filters(name string, regions ...string) {
	env, count := environment(), newCount()
	create(env, name)
	value := func(m message.StreamMessage) string {
		return fmt.Sprintf("%s", m.GetApplicationProperties()["region"])
	}
	producer := count.listen(must(env.NewProducer(name,
		stream.NewProducerOptions().SetFilter(stream.NewProducerFilter(value)))))
	published := 0
	for _, region := range regions {
		for i := 0; i < 6; i++ {
			m := amqp.NewMessage([]byte(fmt.Sprintf("message %d", published)))
			m.ApplicationProperties = map[string]any{"region": region}
			check(producer.Send(m))
			published++
		}
		count.until(&count.confirmed, int64(published))
	}
	if regions[len(regions)-1] != "" {
		wanted := func(m *amqp.Message) bool { return m.ApplicationProperties["region"] == "emea" }
		must(env.NewConsumer(name, count.take,
			first().SetFilter(stream.NewConsumerFilter([]string{"emea"}, false, wanted))))
		count.until(&count.consumed, 6)
		time.Sleep(300 * time.Millisecond)
		count.tell("")
	}
	check(env.Close())
	count.sent(published)
}

// alone is one of the consumers of a group.
func alone(env *stream.Environment, name string, count *Count, each func(*stream.Consumer)) *stream.Consumer {
	update := func(streamName string, active bool) stream.OffsetSpecification {
		offset, err := env.QueryOffset("group", streamName)
		if err != nil {
			return stream.OffsetSpecification{}.First()
		}
		return stream.OffsetSpecification{}.Offset(offset + 1)
	}
	take := func(where stream.ConsumerContext, m *amqp.Message) {
		count.take(where, m)
		if each != nil {
			each(where.Consumer)
		}
	}
	return must(env.NewConsumer(name, take, stream.NewConsumerOptions().SetConsumerName("group").
		SetSingleActiveConsumer(stream.NewSingleActiveConsumer(update))))
}

// singleActive is the second of two consumers; the first is another process, which dies.
func singleActive(name string) {
	env, count := environment(), newCount()
	create(env, name)
	producer := count.listen(must(env.NewProducer(name, stream.NewProducerOptions())))
	texts(producer, 0, 10)
	count.until(&count.confirmed, 10)
	ask("first")
	alone(env, name, count, nil)
	time.Sleep(time.Second)
	ask("crash")
	time.Sleep(time.Second)
	texts(producer, 10, 15)
	count.until(&count.confirmed, 15)
	count.until(&count.consumed, 9)
	time.Sleep(300 * time.Millisecond)
	check(env.Close())
	count.sent(15)
	count.tell("")
}

// theFirst reads as the active consumer of a group until it is killed.
func theFirst(name string) {
	env, count := environment(), newCount()
	alone(env, name, count, func(consumer *stream.Consumer) {
		if consumer.GetOffset() == 5 {
			check(consumer.StoreOffset())
		}
	})
	count.until(&count.consumed, 10)
	time.Sleep(500 * time.Millisecond)
	count.tell("")
	print(facts)
	time.Sleep(time.Hour)
}

func superStream(name string, byKey bool) {
	env, count := environment(), newCount()
	regions := []string{"emea", "amer", "apac"}
	region := func(m message.StreamMessage) string { return fmt.Sprintf("%s", m.GetApplicationProperties()["region"]) }
	id := func(m message.StreamMessage) string { return fmt.Sprintf("%s", m.GetMessageProperties().MessageID) }
	var routing stream.RoutingStrategy = stream.NewHashRoutingStrategy(id)
	if byKey {
		check(env.DeclareSuperStream(name, stream.NewBindingsOptions(regions)))
		routing = stream.NewKeyRoutingStrategy(region)
	} else {
		check(env.DeclareSuperStream(name, stream.NewPartitionsOptions(3)))
	}
	producer := must(env.NewSuperStreamProducer(name, stream.NewSuperStreamProducerOptions(routing)))
	channel := producer.NotifyPublishConfirmation(1)
	go func() {
		for all := range channel {
			count.status(all.ConfirmationStatus)
		}
	}()
	for n := 0; n < 20; n++ {
		m := amqp.NewMessage([]byte(fmt.Sprintf("order %d", n)))
		m.Properties = &amqp.MessageProperties{MessageID: fmt.Sprintf("order-%d", n)}
		m.ApplicationProperties = map[string]any{"region": regions[n%3]}
		check(producer.Send(m))
	}
	count.until(&count.confirmed, 20)
	consumer := must(env.NewSuperStreamConsumer(name, count.take, stream.NewSuperStreamConsumerOptions().
		SetOffset(stream.OffsetSpecification{}.First())))
	count.until(&count.consumed, 20)
	time.Sleep(300 * time.Millisecond)
	facts["consumed"], facts["by_stream"] = count.get(&count.consumed), count.byStream()
	check(consumer.Close())
	check(producer.Close())
	ask("count")
	check(env.DeleteSuperStream(name))
	check(env.Close())
	count.sent(20)
}

func tracking(name string) {
	env, count, again, byItself := environment(), newCount(), newCount(), newCount()
	create(env, name)
	producer := count.listen(must(env.NewProducer(name, stream.NewProducerOptions())))
	texts(producer, 0, 20)
	count.until(&count.confirmed, 20)
	consumer := must(env.NewConsumer(name, func(where stream.ConsumerContext, m *amqp.Message) {
		count.take(where, m)
		if where.Consumer.GetOffset() == 7 {
			check(where.Consumer.StoreOffset())
		}
	}, first().SetConsumerName("by-hand").SetManualCommit()))
	count.until(&count.consumed, 20)
	time.Sleep(500 * time.Millisecond)
	stored := must(consumer.QueryOffset())
	facts["stored_by_hand"] = stored
	check(consumer.Close())
	must(env.NewConsumer(name, again.take, stream.NewConsumerOptions().SetConsumerName("by-hand").
		SetOffset(stream.OffsetSpecification{}.Offset(stored+1))))
	again.until(&again.consumed, 12)
	automatic := must(env.NewConsumer(name, byItself.take, first().SetConsumerName("by-itself").
		SetAutoCommit(stream.NewAutoCommitStrategy().SetCountBeforeStorage(5).SetFlushInterval(2*time.Second))))
	byItself.until(&byItself.consumed, 20)
	texts(producer, 20, 23)
	byItself.until(&byItself.consumed, 23)
	time.Sleep(3 * time.Second)
	facts["stored_by_itself"] = must(automatic.QueryOffset())
	check(env.Close())
	count.sent(23)
	count.tell("")
	again.tell("_again")
	byItself.tell("_by_itself")
}

func offsets(name string) {
	env, count := environment(), newCount()
	create(env, name)
	producer := count.listen(must(env.NewProducer(name, stream.NewProducerOptions())))
	middle := int64(0)
	for batch := 0; batch < 3; batch++ {
		texts(producer, batch*5, batch*5+5)
		count.until(&count.confirmed, int64(batch*5+5))
		time.Sleep(300 * time.Millisecond)
		if batch == 0 {
			middle = time.Now().UnixMilli()
			time.Sleep(300 * time.Millisecond)
		}
	}
	place := stream.OffsetSpecification{}
	places := map[string]stream.OffsetSpecification{
		"_first": place.First(), "_last": place.Last(), "_next": place.Next(),
		"_offset_7": place.Offset(7), "_timestamp": place.Timestamp(middle),
	}
	counts := map[string]*Count{}
	for key, where := range places {
		counts[key] = newCount()
		must(env.NewConsumer(name, counts[key].take, stream.NewConsumerOptions().SetOffset(where)))
	}
	time.Sleep(500 * time.Millisecond)
	texts(producer, 15, 18)
	count.until(&count.confirmed, 18)
	time.Sleep(time.Second)
	check(env.Close())
	count.sent(18)
	for key, one := range counts {
		one.tell(key)
	}
}

func statistics(name string) {
	env, count := environment(), newCount()
	create(env, name)
	empty, err := env.StreamStats(name)
	if facts["error"] = said(err); err != nil {
		return
	}
	_, err = empty.FirstOffset()
	facts["error_of_empty"] = said(err)
	producer := count.listen(must(env.NewProducer(name, stream.NewProducerOptions())))
	for batch := 0; batch < 4; batch++ {
		texts(producer, batch*5, batch*5+5)
		count.until(&count.confirmed, int64(batch*5+5))
	}
	full := must(env.StreamStats(name))
	facts["stats_first_offset"] = must(full.FirstOffset())
	facts["stats_committed_chunk"] = must(full.CommittedChunkId())
	check(env.Close())
	count.sent(20)
}

func missing(name string) {
	env := environment()
	errors := []string{}
	facts["exists"] = must(env.StreamExists(name))
	_, err := env.NewProducer(name, stream.NewProducerOptions())
	errors = append(errors, said(err))
	_, err = env.NewConsumer(name, newCount().take, first())
	errors = append(errors, said(err), said(env.DeleteStream(name)))
	_, err = env.QueryOffset("nobody", name)
	errors = append(errors, said(err))
	_, err = env.StreamStats(name)
	errors = append(errors, said(err))
	facts["errors"] = errors
	check(env.Close())
}

func idle(name string) {
	env := must(stream.NewEnvironment(options().SetRequestedHeartbeat(3 * time.Second)))
	create(env, name)
	must(env.NewProducer(name, stream.NewProducerOptions()))
	time.Sleep(8 * time.Second)
	check(env.Close())
}

// killed uses what the client has for connections that die: its reliable producer and consumer.
func killed(name string) {
	env, count := environment(), newCount()
	create(env, name)
	producer := must(ha.NewReliableProducer(env, name, stream.NewProducerOptions(), count.status))
	must(ha.NewReliableConsumer(env, name, first(), count.take))
	send := func(from, to int) {
		for n := from; n < to; n++ {
			check(producer.Send(text(n)))
		}
		count.until(&count.confirmed, int64(to))
		count.until(&count.consumed, int64(to))
	}
	send(0, 10)
	time.Sleep(300 * time.Millisecond)
	ask("kill")
	time.Sleep(8 * time.Second)
	send(10, 20)
	time.Sleep(300 * time.Millisecond)
	check(producer.Close())
	check(env.Close())
	count.sent(20)
	count.tell("")
}

func secure(name string) {
	secrets := must(os.Create(os.Args[3]))
	env := must(stream.NewEnvironment(options().SetPort(5551).IsTLS(true).
		SetTLSConfig(&tls.Config{InsecureSkipVerify: true, KeyLogWriter: secrets, MaxVersion: tls.VersionTLS12})))
	count := newCount()
	create(env, name)
	producer := count.listen(must(env.NewProducer(name, stream.NewProducerOptions())))
	texts(producer, 0, 10)
	count.until(&count.confirmed, 10)
	must(env.NewConsumer(name, count.take, first()))
	count.until(&count.consumed, 10)
	time.Sleep(300 * time.Millisecond)
	check(env.Close())
	count.sent(10)
	count.tell("")
}

// values are AMQP 1.0 bodies and annotations as an AMQP 1.0 publisher writes them.
func values() []*named10 {
	str := func(s string) *string { return &s }
	when := time.UnixMilli(1700000000000)
	sequence := uint32(7)
	all := goamqp.NewMessage([]byte("every section"))
	all.Header = &goamqp.MessageHeader{Durable: true, Priority: 6, TTL: time.Hour}
	all.DeliveryAnnotations = goamqp.Annotations{"x-opt-hop": int32(1)}
	all.Annotations = goamqp.Annotations{"x-stream-filter-value": "emea", "x-opt-shelf": "top"}
	all.Properties = &goamqp.MessageProperties{
		MessageID: "order-1", UserID: []byte("guest"), To: str("orders"), Subject: str("order"),
		ReplyTo: str("answers"), CorrelationID: uint64(9), ContentType: str("text/plain"),
		ContentEncoding: str("identity"), AbsoluteExpiryTime: &when, CreationTime: &when,
		GroupID: str("group"), GroupSequence: &sequence, ReplyToGroupID: str("other"),
	}
	all.ApplicationProperties = map[string]any{
		"text": "größe", "int": int32(-1), "long": int64(1) << 40, "yes": true, "double": 0.5,
		"when": when, "ubyte": uint8(200), "ulong": uint64(1) << 63,
	}
	all.Footer = goamqp.Annotations{"x-opt-digest": []byte{1, 2}}
	return []*named10{
		{"every section", all},
		{"plain", goamqp.NewMessage([]byte("plain"))},
		{"two data sections", &goamqp.Message{Data: [][]byte{[]byte("two "), []byte("parts")}}},
		{"list", &goamqp.Message{Value: []any{"one", int32(2), []any{true}}}},
		{"map", &goamqp.Message{Value: map[string]any{"key": "value"}}},
		{"text", &goamqp.Message{Value: "a word"}},
		{"two sequences", &goamqp.Message{Sequence: [][]any{{"one", int32(2)}, {"three"}}}},
	}
}

// named10 is an AMQP 1.0 message and what it is called.
type named10 struct {
	name    string
	message *goamqp.Message
}

// send10 sends one message on a connection of its own: what the broker cannot take ends it.
func send10(address string, m *goamqp.Message) error {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	conn, err := goamqp.Dial(ctx, "amqp://broker:5672", &goamqp.ConnOptions{SASLType: goamqp.SASLTypePlain("guest", "guest")})
	if err != nil {
		return err
	}
	defer conn.Close()
	session, err := conn.NewSession(ctx, nil)
	if err != nil {
		return err
	}
	sender, err := session.NewSender(ctx, address, nil)
	if err != nil {
		return err
	}
	return sender.Send(ctx, m, nil)
}

// amqpPublisher publishes over AMQP 1.0, to an address; the stream is there.
func amqpPublisher(string) {
	accepted, errors := []string{}, []string{}
	for _, one := range values() {
		if err := send10(os.Args[3], one.message); err != nil {
			errors = append(errors, one.name+": "+strings.Split(said(err), " tcp ")[0])
		} else {
			accepted = append(accepted, one.name)
		}
	}
	facts["published_by_amqp"], facts["accepted"] = len(values()), accepted
	if len(errors) > 0 {
		facts["errors_of_amqp"] = errors
	}
}

func print(value Facts) {
	fmt.Println(string(must(json.Marshal(value))))
}

func main() {
	stream.SetLevelInfo(logs.INFO)
	plays := map[string]func(string){
		"publish_and_consume": publishAndConsume, "named": named, "sub_batches": subBatches,
		"filters":       func(name string) { filters(name, "emea", "amer", "apac") },
		"filters_empty": func(name string) { filters(name, "emea", "") },
		"single_active": singleActive,
		"first":         theFirst,
		"super_stream":  func(name string) { superStream(name, false) },
		"super_by_key":  func(name string) { superStream(name, true) },
		"tracking":      tracking,
		"offsets":       offsets,
		"statistics":    statistics,
		"missing":       missing,
		"idle":          idle,
		"killed":        killed,
		"secure":        secure,
		"amqp":          amqpPublisher,
	}
	plays[os.Args[1]](os.Args[2])
	print(facts)
}
