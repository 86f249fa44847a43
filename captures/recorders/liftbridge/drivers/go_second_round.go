// Plays the second round of the blind test by go-liftbridge and the API's stubs; prints JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	lift "github.com/liftbridge-io/go-liftbridge/v2"
	proto "github.com/liftbridge-io/liftbridge-api/go"
	"google.golang.org/grpc"
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

func stub() (proto.APIClient, *grpc.ClientConn) {
	conn, err := grpc.Dial(server, grpc.WithInsecure())
	must(err)
	return proto.NewAPIClient(conn), conn
}

func create(client lift.Client, name string, partitions int32) {
	must(client.CreateStream(ctx(), name, name, lift.Partitions(partitions)))
	time.Sleep(300 * time.Millisecond)
}

func fill(api proto.APIClient, name string, partition int32, n int) {
	for i := 0; i < n; i++ {
		_, err := api.Publish(ctx(), &proto.PublishRequest{Stream: name, Partition: partition, ExpectedOffset: -1,
			Value: []byte(fmt.Sprintf("reading %d of partition %d", i, partition)), AckPolicy: proto.AckPolicy_LEADER})
		must(err)
	}
}

// take reads n messages of a subscription (the first one is empty); the last offset.
func take(api proto.APIClient, request *proto.SubscribeRequest, n int) int64 {
	c, cancel := context.WithCancel(context.Background())
	defer cancel()
	open, err := api.Subscribe(c, request)
	must(err)
	last := int64(-1)
	for i := 0; i <= n; i++ {
		m, err := open.Recv()
		must(err)
		if i > 0 {
			last = m.Offset
		}
	}
	return last
}

func reconnects(again int32) {
	client := connect()
	create(client, "sensors", 3)
	must(client.Close())
	feeder, fc := stub()
	for p := int32(0); p < 3; p++ {
		fill(feeder, "sensors", p, 8)
	}
	must(fc.Close())
	api, conn := stub()
	last := take(api, &proto.SubscribeRequest{Stream: "sensors", Partition: 2, StartPosition: proto.StartPosition_EARLIEST}, 4)
	must(conn.Close())
	for i := 0; i < 2; i++ {
		time.Sleep(300 * time.Millisecond)
		api, conn = stub()
		last = take(api, &proto.SubscribeRequest{Stream: "sensors", Partition: again, StartPosition: proto.StartPosition_OFFSET, StartOffset: last + 1}, 2)
		must(conn.Close())
	}
	counted["last"] = last
}

func keyToTwoPartitions() {
	client := connect()
	create(client, "accounts", 3)
	must(client.Close())
	api, conn := stub()
	for i := 0; i < 18; i++ {
		key := fmt.Sprintf("account-%d", i%3)
		sum := 0
		for _, b := range []byte(key + fmt.Sprint(i*7)) {
			sum = sum*31 + int(b)
		}
		_, err := api.Publish(ctx(), &proto.PublishRequest{Stream: "accounts", Key: []byte(key), Partition: int32(uint32(sum) % 3),
			Value: []byte(fmt.Sprintf("movement %d", i)), AckPolicy: proto.AckPolicy_LEADER, ExpectedOffset: -1})
		must(err)
	}
	must(conn.Close())
}

func keysInPartitions() {
	client := connect()
	create(client, "accounts", 3)
	for i := 0; i < 18; i++ {
		_, err := client.Publish(ctx(), "accounts", []byte(fmt.Sprintf("movement %d", i)),
			lift.Key([]byte(fmt.Sprintf("account-%d", i%3))), lift.PartitionByKey(), lift.AckPolicyLeader())
		must(err)
	}
	must(client.Close())
}

func cursors(every int64) {
	client := connect()
	create(client, "work", 1)
	api, conn := stub()
	fill(api, "work", 0, 40)
	must(conn.Close())
	c, cancel := context.WithCancel(context.Background())
	offsets := make(chan int64, 100)
	must(client.Subscribe(c, "work", func(m *lift.Message, err error) {
		if err == nil {
			offsets <- m.Offset()
		}
	}, lift.StartAtEarliestReceived()))
	for i := 0; i < 40; i++ {
		at := <-offsets
		if at%every == every-1 {
			must(client.SetCursor(ctx(), "worker", "work", 0, at))
			counted["cursors"]++
		}
	}
	cancel()
	time.Sleep(200 * time.Millisecond)
	must(client.Close())
}

func subscribesPerMessage() {
	client := connect()
	create(client, "work", 1)
	must(client.Close())
	api, conn := stub()
	fill(api, "work", 0, 25)
	for at := int64(0); at < 25; at++ {
		take(api, &proto.SubscribeRequest{Stream: "work", StartPosition: proto.StartPosition_OFFSET, StartOffset: at}, 1)
	}
	must(conn.Close())
}

func correlationConstant() {
	client := connect()
	create(client, "work", 1)
	must(client.Close())
	api, conn := stub()
	open, err := api.PublishAsync(context.Background())
	must(err)
	for i := 0; i < 12; i++ {
		must(open.Send(&proto.PublishRequest{Stream: "work", Value: []byte(fmt.Sprintf("order %d", i)), CorrelationId: "order",
			AckPolicy: proto.AckPolicy_LEADER, ExpectedOffset: -1}))
	}
	for i := 0; i < 12; i++ {
		_, err := open.Recv()
		must(err)
	}
	must(open.CloseSend())
	time.Sleep(200 * time.Millisecond)
	must(conn.Close())
}

var plays = map[string]func(){
	"back_to_partition_zero":   func() { reconnects(0) },
	"goes_on_in_its_partition": func() { reconnects(2) },
	"key_to_two_partitions":    keyToTwoPartitions,
	"keys_in_partitions":       keysInPartitions,
	"cursor_per_message":       func() { cursors(1) },
	"cursor_per_ten":           func() { cursors(10) },
	"subscribes_per_message":   subscribesPerMessage,
	"correlation_id_constant":  correlationConstant,
}

func main() {
	plays[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
