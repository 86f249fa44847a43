// Plays the blind test by go-liftbridge and the API's stubs; prints what it counted as JSON.
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

func readonlyIgnored() {
	client := connect()
	stream(client, "work", 2)
	must(client.SetStreamReadonly(ctx(), "work", lift.Readonly(true)))
	time.Sleep(300 * time.Millisecond)
	api, conn := stub()
	for i := 0; i < 8; i++ {
		_, err := api.Publish(ctx(), &proto.PublishRequest{Stream: "work", Value: []byte("order"),
			AckPolicy: proto.AckPolicy_LEADER, ExpectedOffset: -1})
		if err != nil {
			counted["refused"]++
		}
		time.Sleep(50 * time.Millisecond)
	}
	must(conn.Close())
	must(client.Close())
}

// join makes a member of the group, and gives the partitions that it is assigned.
func join(api proto.APIClient, id string) *proto.JoinConsumerGroupResponse {
	joined, err := api.JoinConsumerGroup(ctx(), &proto.JoinConsumerGroupRequest{GroupId: "crew",
		ConsumerId: id, Streams: []string{"jobs"}})
	must(err)
	return joined
}

func assigned(api proto.APIClient, id string) (uint64, []int32) {
	answer, err := api.FetchConsumerGroupAssignments(ctx(),
		&proto.FetchConsumerGroupAssignmentsRequest{GroupId: "crew", ConsumerId: id, Epoch: groupEpoch})
	must(err)
	var all []int32
	for _, each := range answer.Assignments {
		all = append(all, each.Partitions...)
	}
	return answer.Epoch, all
}

var groupEpoch uint64

func take(api proto.APIClient, partition int32, consumer *proto.Consumer, want int) context.CancelFunc {
	c, cancel := context.WithCancel(context.Background())
	open, err := api.Subscribe(c, &proto.SubscribeRequest{Stream: "jobs", Partition: partition,
		StartPosition: proto.StartPosition_EARLIEST, Consumer: consumer})
	must(err)
	for i := 0; i <= want; i++ { // the first one is empty
		_, err = open.Recv()
		must(err)
	}
	counted["messages"] += want
	return cancel
}

func jobs(client lift.Client) {
	stream(client, "jobs", 0, lift.Partitions(2))
	for i := int32(0); i < 4; i++ {
		_, err := client.Publish(ctx(), "jobs", []byte("job"), lift.ToPartition(i%2), lift.AckPolicyLeader())
		must(err)
	}
}

func crew(consumer string) *proto.Consumer {
	return &proto.Consumer{GroupId: "crew", GroupEpoch: groupEpoch, ConsumerId: consumer}
}

func readsForeignPartition() {
	client := connect()
	jobs(client)
	one, first := stub()
	two, second := stub()
	join(one, "one")
	groupEpoch = join(two, "two").Epoch
	_, mine := assigned(one, "one")
	_, theirs := assigned(two, "two")
	take(two, theirs[0], crew("two"), 2)
	take(one, mine[0], crew("one"), 2)
	take(one, theirs[0], nil, 2)
	time.Sleep(300 * time.Millisecond)
	must(first.Close())
	must(second.Close())
	must(client.Close())
}

func memberTakesOver() {
	client := connect()
	jobs(client)
	one, first := stub()
	two, second := stub()
	join(one, "one")
	groupEpoch = join(two, "two").Epoch
	_, mine := assigned(one, "one")
	_, theirs := assigned(two, "two")
	take(one, mine[0], crew("one"), 2)
	stop := take(two, theirs[0], crew("two"), 2)
	stop()
	time.Sleep(100 * time.Millisecond)
	_, err := two.LeaveConsumerGroup(ctx(), &proto.LeaveConsumerGroupRequest{GroupId: "crew", ConsumerId: "two"})
	must(err)
	must(second.Close())
	known, err := one.FetchMetadata(ctx(), &proto.FetchMetadataRequest{Groups: []string{"crew"}})
	must(err)
	groupEpoch = known.GroupMetadata[0].Epoch
	_, all := assigned(one, "one")
	counted["assigned"] = len(all)
	take(one, theirs[0], crew("one"), 2)
	_, err = one.LeaveConsumerGroup(ctx(), &proto.LeaveConsumerGroupRequest{GroupId: "crew", ConsumerId: "one"})
	must(err)
	must(first.Close())
	must(client.Close())
}

func readsOn() {
	client := connect()
	stream(client, "work", 6)
	next := int64(0)
	for i := 0; i < 3; i++ {
		next = read(client, "work", 2, lift.StartAtOffset(next)) + 1
	}
	must(client.Close())
}

func main() {
	map[string]func(){
		"readonly_ignored": readonlyIgnored, "reads_foreign_partition": readsForeignPartition,
		"member_takes_over": memberTakesOver, "reads_on": readsOn,
	}[os.Args[1]]()
	text, _ := json.Marshal(counted)
	fmt.Println(string(text))
}
