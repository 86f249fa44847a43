// Vectors of the protocol before the envelope: "LIFT" and a protobuf message with the old field numbers.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"

	lift "github.com/liftbridge-io/go-liftbridge"
)

func main() {
	emit("value_only", lift.NewMessage([]byte("hello")), map[string]any{"value": "68656c6c6f"})
	emit("all", lift.NewMessage([]byte("hello"), lift.Key([]byte("k")), lift.AckInbox("ack"), lift.CorrelationID("1"), lift.AckPolicyAll()),
		map[string]any{"key": "6b", "value": "68656c6c6f", "ack_inbox": "ack", "correlation_id": "1", "ack_policy": 1})
	emit("policy_none", lift.NewMessage(nil, lift.AckPolicyNone()), map[string]any{"ack_policy": 2})
}

func emit(name string, data []byte, expect map[string]any) {
	line, err := json.Marshal(map[string]any{"file": "liftbridge/lift", "name": name, "command": "publish", "bare": true, "dialect": "lift", "hex": hex.EncodeToString(data),
		"source": "go-liftbridge of 2019-11-06 (4f7e4b9d8611), NewMessage", "expect": expect})
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}
