// What rsocket-go is made to do in the eleventh round of the blind test; prints what it counted.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/payload"
	"github.com/rsocket/rsocket-go/rx"
	"github.com/rsocket/rsocket-go/rx/flux"
	"github.com/rsocket/rsocket-go/rx/mono"
)

var answers, items, failures, served atomic.Int64

func text(format string, with ...any) payload.Payload {
	return payload.NewString(fmt.Sprintf(format, with...), "")
}

// A handler that works before it gives its answer, or while the answer is asked for.
func answer(parallel bool, asked string) mono.Mono {
	served.Add(1)
	work := func() {
		if strings.HasPrefix(asked, "price") {
			time.Sleep(400 * time.Millisecond)
		}
	}
	if parallel {
		return mono.Create(func(_ context.Context, sink mono.Sink) {
			work()
			sink.Success(text("answer to %s", asked))
		})
	}
	work()
	return mono.Just(text("answer to %s", asked))
}

func serve(parallel bool) {
	responder := rsocket.NewAbstractSocket(
		rsocket.RequestResponse(func(p payload.Payload) mono.Mono { return answer(parallel, string(p.Data())) }),
		rsocket.FireAndForget(func(p payload.Payload) { served.Add(1) }),
		rsocket.RequestStream(func(p payload.Payload) flux.Flux {
			served.Add(1)
			asked := strings.Fields(string(p.Data()))
			return flux.Create(func(ctx context.Context, sink flux.Sink) {
				for n := 0; n < 60; n++ {
					if asked[0] == "rows" && fmt.Sprint(n) == asked[1] {
						break
					}
					sink.Next(text("%s %d", asked[2], n))
					time.Sleep(40 * time.Millisecond)
				}
				sink.Complete()
			})
		}),
		rsocket.RequestChannel(func(in flux.Flux) flux.Flux {
			served.Add(1)
			return flux.Create(func(ctx context.Context, sink flux.Sink) {
				in.DoOnNext(func(p payload.Payload) error { sink.Next(text("stored %s", string(p.Data()))); return nil }).
					DoOnError(func(e error) { sink.Error(e) }).DoOnComplete(func() { sink.Complete() }).Subscribe(ctx)
			})
		}))
	go func() {
		err := rsocket.Receive().OnStart(func() { fmt.Println("ready") }).
			Acceptor(func(context.Context, payload.SetupPayload, rsocket.CloseableRSocket) (rsocket.RSocket, error) { return responder, nil }).
			Transport(rsocket.TCPServer().SetHostAndPort("broker", 7000).Build()).Serve(context.Background())
		panic(err)
	}()
	_, _ = bufio.NewReader(os.Stdin).ReadString(0)
	os.Exit(0)
}

// Starts the server again whenever it dies.
func watch(options []string) {
	deaths := 0
	go func() {
		for {
			one := exec.Command(os.Args[0], append([]string{"serves"}, options...)...)
			in, err := one.StdinPipe()
			if err != nil {
				panic(err)
			}
			out, err := one.StdoutPipe()
			if err != nil {
				panic(err)
			}
			_ = one.Start()
			_, _ = bufio.NewReader(out).ReadString('\n')
			if deaths == 0 {
				fmt.Println("ready")
			}
			_ = one.Wait()
			_ = in.Close()
			deaths++
			time.Sleep(200 * time.Millisecond)
		}
	}()
	_, _ = bufio.NewReader(os.Stdin).ReadString(0)
	fmt.Printf("{\"deaths\": %d}\n", deaths)
	os.Exit(0)
}

// One start of an uploader: a stream of ticks, questions, and a channel of lines.
func life(number int) {
	client, err := rsocket.Connect().KeepAlive(2*time.Second, 30*time.Second, 3).DataMimeType("text/plain").MetadataMimeType("text/plain").
		SetupPayload(text("uploader-%d", number)).Transport(rsocket.TCPClient().SetHostAndPort("broker", 7000).Build()).Start(context.Background())
	if err != nil {
		panic(err)
	}
	client.RequestStream(text("ticks 120 BELT")).DoOnNext(func(payload.Payload) error { items.Add(1); return nil }).Subscribe(context.Background())
	ask := func(n int) {
		if _, err := client.RequestResponse(text("place of box %d", n)).Block(context.Background()); err == nil {
			answers.Add(1)
		} else {
			failures.Add(1)
		}
	}
	ask(0)
	done := make(chan bool, 1)
	lines := flux.Create(func(ctx context.Context, sink flux.Sink) {
		for n := 0; n < 16; n++ {
			sink.Next(text("line %d of upload %d", n, number))
			time.Sleep(70 * time.Millisecond)
		}
		sink.Complete()
	})
	client.RequestChannel(lines).DoOnNext(func(payload.Payload) error { items.Add(1); return nil }).
		DoFinally(func(rx.SignalType) { done <- true }).Subscribe(context.Background())
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		failures.Add(1)
	}
	ask(1)
	client.Close()
	time.Sleep(200 * time.Millisecond)
}

func main() {
	switch os.Args[1] {
	case "tcp":
		watch(os.Args[2:])
	case "serves":
		serve(len(os.Args) > 2 && os.Args[2] == "parallel")
	case "uploads":
		ended := 0
		for n := 0; n < 4; n++ {
			one := exec.Command(os.Args[0], "life", fmt.Sprint(n))
			if one.Run() != nil {
				failures.Add(1)
			}
			ended++
			time.Sleep(450 * time.Millisecond)
		}
		fmt.Printf("{\"starts\": %d, \"crashes\": %d}\n", ended, failures.Load())
	case "life":
		number := 0
		fmt.Sscan(os.Args[2], &number)
		life(number)
	}
}
