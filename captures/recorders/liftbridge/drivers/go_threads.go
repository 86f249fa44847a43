// Plays scenarios from threads by go-liftbridge and the API's stubs; prints what it counted as JSON.
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

var counted = map[string]int{}

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

// stream is made with so many messages.
func stream(client lift.Client, name string, count int, options ...lift.StreamOption) {
	must(client.CreateStream(ctx(), name, name, options...))
	time.Sleep(300 * time.Millisecond)
	for i := 0; i < count; i++ {
		_, err := client.Publish(ctx(), name, []byte(fmt.Sprintf("message %d", i)), lift.AckPolicyLeader())
		must(err)
	}
}

// read takes so many messages and cancels; its last offset.
func read(client lift.Client, name string, count int, options ...lift.SubscriptionOption) int64 {
	if count == 0 {
		return -1
	}
	c, cancel := context.WithCancel(context.Background())
	offsets := make(chan int64, 100)
	must(client.Subscribe(c, name, func(msg *lift.Message, err error) {
		if err == nil {
			offsets <- msg.Offset()
		}
	}, options...))
	last := int64(-1)
	for i := 0; i < count; i++ {
		last = <-offsets
		counted["messages"]++
	}
	cancel()
	time.Sleep(100 * time.Millisecond)
	return last
}

func startsOver() {
	client := connect()
	stream(client, "work", 6)
	must(client.Close())
	for i := 0; i < 3; i++ {
		client = connect()
		last := read(client, "work", 6, lift.StartAtEarliestReceived())
		must(client.SetCursor(ctx(), "reader", "work", 0, last))
		must(client.Close())
	}
}

func resumesAtCursor() {
	client := connect()
	stream(client, "work", 6)
	must(client.Close())
	for i := 0; i < 3; i++ {
		client = connect()
		cursor, err := client.FetchCursor(ctx(), "reader", "work", 0)
		must(err)
		last := read(client, "work", 2, lift.StartAtOffset(cursor+1))
		must(client.SetCursor(ctx(), "reader", "work", 0, last))
		must(client.Close())
	}
}

func deadlineTooShort() {
	client := connect()
	stream(client, "work", 1)
	api, conn := stub()
	_, err := api.FetchMetadata(ctx(), &proto.FetchMetadataRequest{})
	must(err)
	for i := 0; i < 6; i++ {
		c, cancel := context.WithTimeout(context.Background(), 700*time.Microsecond)
		_, err := api.Publish(c, &proto.PublishRequest{Stream: "work", Value: []byte("once only"),
			CorrelationId: "order-1", AckPolicy: proto.AckPolicy_ALL, ExpectedOffset: -1})
		cancel()
		if err != nil {
			counted["given_up"]++
		}
		time.Sleep(50 * time.Millisecond)
	}
	must(conn.Close())
	must(client.Close())
}

func cursorGoesBack() {
	client := connect()
	stream(client, "work", 8)
	read(client, "work", 8, lift.StartAtEarliestReceived())
	must(client.SetCursor(ctx(), "reader", "work", 0, 7))
	must(client.SetCursor(ctx(), "reader", "work", 0, 3))
	must(client.Close())
	client = connect()
	cursor, err := client.FetchCursor(ctx(), "reader", "work", 0)
	must(err)
	read(client, "work", 4, lift.StartAtOffset(cursor+1))
	must(client.Close())
}

func subscriptionsLeft() {
	client := connect()
	stream(client, "work", 1)
	api, conn := stub()
	for i := 0; i < 8; i++ {
		open, err := api.Subscribe(context.Background(), &proto.SubscribeRequest{Stream: "work",
			StartPosition: proto.StartPosition_NEW_ONLY})
		must(err)
		_, err = open.Recv()
		must(err)
		go func() {
			for {
				if _, err := open.Recv(); err != nil {
					return
				}
			}
		}()
		time.Sleep(100 * time.Millisecond)
	}
	for i := 0; i < 5; i++ {
		_, err := client.Publish(ctx(), "work", []byte("news"), lift.AckPolicyLeader())
		must(err)
	}
	time.Sleep(300 * time.Millisecond)
	must(conn.Close())
	must(client.Close())
}

func pausedPartition() {
	client := connect()
	stream(client, "work", 2)
	must(client.PauseStream(ctx(), "work"))
	time.Sleep(300 * time.Millisecond)
	api, conn := stub()
	for i := 0; i < 12; i++ {
		open, err := api.Subscribe(ctx(), &proto.SubscribeRequest{Stream: "work",
			StartPosition: proto.StartPosition_EARLIEST})
		must(err)
		if _, err = open.Recv(); err != nil {
			counted["refused"]++
		}
	}
	must(conn.Close())
	must(client.Close())
}

func resumesPaused() {
	client := connect()
	stream(client, "work", 2)
	must(client.PauseStream(ctx(), "work"))
	time.Sleep(300 * time.Millisecond)
	read(client, "work", 2, lift.StartAtEarliestReceived(), lift.Resume())
	must(client.Close())
}

func connectionPerPublish() {
	client := connect()
	stream(client, "work", 0)
	must(client.Close())
	for i := 0; i < 12; i++ {
		client := connect()
		_, err := client.Publish(ctx(), "work", []byte("one"), lift.AckPolicyLeader())
		must(err)
		counted["published"]++
		must(client.Close())
	}
}

func memberTwice() {
	client := connect()
	stream(client, "work", 1)
	for i := 0; i < 2; i++ {
		api, conn := stub()
		defer conn.Close()
		for n := 0; n < 1+5*i; n++ {
			_, err := api.JoinConsumerGroup(ctx(), &proto.JoinConsumerGroupRequest{GroupId: "crew",
				ConsumerId: "worker", Streams: []string{"work"}})
			if err != nil {
				counted["refused"]++
				time.Sleep(50 * time.Millisecond)
			}
		}
	}
	must(client.Close())
}

func streamExistsAlready() {
	for i := 0; i < 2; i++ {
		client := connect()
		if err := client.CreateStream(ctx(), "work", "work"); err == lift.ErrStreamExists {
			counted["existed"]++
		} else {
			must(err)
		}
		time.Sleep(300 * time.Millisecond)
		for n := 0; n < 3; n++ {
			_, err := client.Publish(ctx(), "work", []byte("message"), lift.AckPolicyLeader())
			must(err)
		}
		read(client, "work", 3*(i+1), lift.StartAtEarliestReceived())
		must(client.Close())
	}
}

func offsetConflictMended() {
	client, other := connect(), connect()
	stream(client, "occ", 0, lift.OptimisticConcurrencyControl(true))
	for i := int64(0); i < 2; i++ {
		_, err := client.Publish(ctx(), "occ", []byte("mine"), lift.ExpectedOffset(i))
		must(err)
	}
	if _, err := other.Publish(ctx(), "occ", []byte("theirs"), lift.ExpectedOffset(1)); err != nil {
		counted["refused"]++
	}
	info, err := other.FetchPartitionMetadata(ctx(), "occ", 0)
	must(err)
	_, err = other.Publish(ctx(), "occ", []byte("theirs"), lift.ExpectedOffset(info.NewestOffset()+1))
	must(err)
	counted["published"] = 3
	must(client.Close())
	must(other.Close())
}

func main() {
	map[string]func(){
		"starts_over": startsOver, "resumes_at_cursor": resumesAtCursor,
		"deadline_too_short": deadlineTooShort, "cursor_goes_back": cursorGoesBack,
		"subscriptions_left": subscriptionsLeft, "paused_partition": pausedPartition,
		"resumes_paused": resumesPaused, "connection_per_publish": connectionPerPublish,
		"member_twice": memberTwice, "stream_exists_already": streamExistsAlready,
		"offset_conflict_mended": offsetConflictMended,
	}[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
