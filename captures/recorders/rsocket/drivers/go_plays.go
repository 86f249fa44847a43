// Plays scenarios with rsocket-go; prints as JSON what it counted.
//
//	go_plays PLAY tcp|websocket
//
// The server is another program, but for the plays own_server and tls.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rsocket/rsocket-go"
	"github.com/rsocket/rsocket-go/core/transport"
	"github.com/rsocket/rsocket-go/extension"
	"github.com/rsocket/rsocket-go/lease"
	"github.com/rsocket/rsocket-go/payload"
	"github.com/rsocket/rsocket-go/rx"
	"github.com/rsocket/rsocket-go/rx/flux"
	"github.com/rsocket/rsocket-go/rx/mono"
)

const host, port, forwarded, secure = "broker", 7000, 7001, 7443

var (
	counted = map[string]int{}
	lock    sync.Mutex
	carrier string
)

func count(name string, by int) {
	lock.Lock()
	counted[name] += by
	lock.Unlock()
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func text(data string) payload.Payload { return payload.New([]byte(data), nil) }

// coded is an error with a code of RSocket.
type coded rsocket.ErrorCode

func (c coded) Error() string                { return "on purpose" }
func (c coded) ErrorCode() rsocket.ErrorCode { return rsocket.ErrorCode(c) }
func (c coded) ErrorData() []byte            { return []byte("on purpose") }
func fails(asked string) error {
	switch asked {
	case "error rejected":
		return coded(rsocket.ErrorCodeRejected)
	case "error invalid":
		return coded(rsocket.ErrorCodeInvalid)
	case "error custom":
		return coded(0xabc)
	case "error plain":
		return errors.New("boom")
	}
	return nil
}

func items(number int) flux.Flux {
	return flux.Create(func(ctx context.Context, to flux.Sink) {
		for at := 0; at < number; at++ {
			to.Next(text(fmt.Sprintf("item %d", at)))
		}
		to.Complete()
	})
}

func responder() rsocket.RSocket {
	return rsocket.NewAbstractSocket(
		rsocket.RequestResponse(func(asked payload.Payload) mono.Mono {
			count("served_request_response", 1)
			if err := fails(asked.DataUTF8()); err != nil {
				return mono.Error(err)
			}
			return mono.Just(payload.NewString("pong", "served"))
		}),
		rsocket.FireAndForget(func(payload.Payload) { count("served_fire_and_forget", 1) }),
		rsocket.MetadataPush(func(payload.Payload) { count("served_metadata_push", 1) }),
		rsocket.RequestStream(func(asked payload.Payload) flux.Flux {
			count("served_request_stream", 1)
			if err := fails(asked.DataUTF8()); err != nil {
				return flux.Error(err)
			}
			number, _ := strconv.Atoi(asked.DataUTF8())
			return items(number)
		}),
		rsocket.RequestChannel(func(asked flux.Flux) flux.Flux {
			count("served_request_channel", 1)
			return asked.Map(func(each payload.Payload) (payload.Payload, error) {
				return text("echo " + each.DataUTF8()), nil
			})
		}),
	)
}

func to(at int) transport.ClientTransporter {
	if carrier == "tcp" {
		return rsocket.TCPClient().SetHostAndPort(host, at).Build()
	}
	return rsocket.WebsocketClient().SetURL(fmt.Sprintf("ws://%s:%d/rsocket", host, at)).Build()
}

func builder() rsocket.ClientBuilder {
	return rsocket.Connect().DataMimeType("text/plain").MetadataMimeType("text/plain").
		KeepAlive(2*time.Second, 5*time.Second, 3)
}

func start(how rsocket.ClientBuilder, transport transport.ClientTransporter) rsocket.Client {
	client, err := how.
		Acceptor(func(context.Context, rsocket.RSocket) rsocket.RSocket { return responder() }).
		Transport(transport).Start(context.Background())
	check(err)
	return client
}

func connect(how rsocket.ClientBuilder) rsocket.Client { return start(how, to(port)) }

func limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), 5*time.Second)
}

func one(name string, asked mono.Mono) {
	ctx, cancel := limited()
	defer cancel()
	if _, err := asked.Block(ctx); err != nil {
		count("errors", 1)
	} else {
		count(name, 1)
	}
}

// many takes a stream, `by` at a time when it is not 0, and cancels after `most` when that is not.
func many(name string, asked flux.Flux, by int, most int) {
	ended := make(chan bool, 4)
	var subscription rx.Subscription
	got := 0
	asked.Subscribe(context.Background(),
		rx.OnSubscribe(func(_ context.Context, given rx.Subscription) {
			subscription = given
			if by == 0 {
				given.Request(rx.RequestMax)
			} else {
				given.Request(by)
			}
		}),
		rx.OnNext(func(payload.Payload) error {
			count(name, 1)
			got++
			if got == most {
				subscription.Cancel()
				ended <- true
			} else if by > 0 && got%by == 0 {
				subscription.Request(by)
			}
			return nil
		}),
		rx.OnComplete(func() { ended <- true }),
		rx.OnError(func(error) { count("errors", 1); ended <- true }),
	)
	select {
	case <-ended:
	case <-time.After(6 * time.Second):
		count("stalled", 1)
	}
}

func leave(client rsocket.Client) {
	check(client.Close())
	time.Sleep(300 * time.Millisecond)
}

func models(client rsocket.Client, channel bool) {
	for _, data := range []string{"ping", "longer ping"} {
		one("answers", client.RequestResponse(payload.NewString(data, "meta")))
	}
	client.FireAndForget(text("fire"))
	many("items", client.RequestStream(text("5")), 0, 0)
	many("items_of_3", client.RequestStream(text("10")), 3, 0)
	if channel {
		many("echoes", client.RequestChannel(items(5)), 0, 0)
	}
	client.MetadataPush(payload.New(nil, []byte("pushed")))
	time.Sleep(300 * time.Millisecond)
}

func interactions() {
	client := connect(builder())
	models(client, true)
	leave(client)
}

func failing() {
	client := connect(builder())
	for _, code := range []string{"plain", "rejected", "invalid", "custom"} {
		one("answers", client.RequestResponse(text("error "+code)))
		many("items", client.RequestStream(text("error "+code)), 0, 0)
	}
	leave(client)
}

func cancels() {
	client := connect(builder())
	many("items", client.RequestStream(text("slow 100")), 0, 3)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if _, err := client.RequestResponse(text("never")).Block(ctx); err != nil {
		count("errors", 1)
	}
	time.Sleep(300 * time.Millisecond)
	leave(client)
}

func composite() {
	client := connect(builder().MetadataMimeType("message/x.rsocket.composite-metadata.v0").
		DataMimeType("application/json"))
	one1, err := extension.EncodeRouting("users.find")
	check(err)
	two, err := extension.EncodeRouting("users.find", "shard-7")
	check(err)
	simple := append([]byte{0, 4}, []byte("userthrowaway")...)
	for _, entries := range []*extension.CompositeMetadataBuilder{
		extension.NewCompositeMetadataBuilder().PushWellKnown(extension.MessageRouting, one1),
		extension.NewCompositeMetadataBuilder().PushWellKnown(extension.MessageRouting, two).
			PushWellKnown(extension.MessageAuthentication,
				extension.MustNewAuthentication("simple", simple).Bytes()),
		extension.NewCompositeMetadataBuilder().PushString("x/custom", "custom").
			PushWellKnown(extension.MessageAuthentication,
				extension.MustNewAuthentication("bearer", []byte("throwaway.token")).Bytes()),
	} {
		metadata, err := entries.Build()
		check(err)
		one("answers", client.RequestResponse(payload.New([]byte(`{"id": 1}`), metadata)))
	}
	leave(client)
}

func fragments() {
	large := strings.Repeat("0123456789", 20)
	client := connect(builder().Fragment(64))
	one("answers", client.RequestResponse(payload.NewString(large, large[:100])))
	client.FireAndForget(text(large))
	many("items", client.RequestStream(payload.NewString("2", large[:100])), 0, 0)
	many("echoes", client.RequestChannel(flux.Just(text(large), text(large))), 0, 0)
	leave(client)
}

func keepalive() {
	client := connect(builder().KeepAlive(400*time.Millisecond, 2*time.Second, 3))
	time.Sleep(1500 * time.Millisecond)
	one("answers", client.RequestResponse(text("ping")))
	leave(client)
}

func answersServer() {
	client := connect(builder())
	one("answers", client.RequestResponse(text("ping")))
	time.Sleep(1500 * time.Millisecond)
	leave(client)
}

func leases() {
	client := connect(builder().Lease())
	for round := 0; round < 3; round++ {
		time.Sleep(450 * time.Millisecond)
		for at := 0; at < 3; at++ {
			one("answers", client.RequestResponse(text("ping")))
		}
	}
	leave(client)
}

// forward passes bytes on between client and server; what it gives cuts the connections.
func forward() func() {
	listening, err := net.Listen("tcp", fmt.Sprintf("%s:%d", host, forwarded))
	check(err)
	var open []net.Conn
	go func() {
		for {
			client, err := listening.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", fmt.Sprintf("%s:%d", host, port))
			check(err)
			lock.Lock()
			open = append(open, client, server)
			lock.Unlock()
			go io.Copy(client, server)
			go io.Copy(server, client)
		}
	}()
	return func() {
		count("cuts", 1)
		lock.Lock()
		for _, each := range open {
			each.Close()
		}
		open = nil
		lock.Unlock()
	}
}

func resume() {
	cut := forward()
	token := rsocket.WithClientResumeToken(func() []byte { return []byte("throwaway-token") })
	client := start(builder().Resume(token), to(forwarded))
	time.AfterFunc(400*time.Millisecond, cut)
	many("items", client.RequestStream(text("slow 20")), 0, 0)
	one("answers", client.RequestResponse(text("ping")))
	leave(client)
}

func refused() {
	client := connect(builder())
	one("answers", client.RequestResponse(text("ping")))
	client.Close()
	time.Sleep(300 * time.Millisecond)
}

func serve(at transport.ServerTransporter, lent bool) {
	server := rsocket.Receive().Fragment(64)
	if lent {
		factory, err := lease.NewSimpleFactory(500*time.Millisecond, time.Second, 100*time.Millisecond, 2)
		check(err)
		server = server.Lease(factory)
	}
	go func() {
		check(server.
			Acceptor(func(context.Context, payload.SetupPayload, rsocket.CloseableRSocket) (rsocket.RSocket, error) {
				return responder(), nil
			}).Transport(at).Serve(context.Background()))
	}()
	time.Sleep(300 * time.Millisecond)
}

func listening() transport.ServerTransporter {
	if carrier == "tcp" {
		return rsocket.TCPServer().SetHostAndPort(host, port).Build()
	}
	return rsocket.WebsocketServer().SetAddr(fmt.Sprintf("%s:%d", host, port)).SetPath("/rsocket").Build()
}

// ownServer leaves channels out: the library's server stalls after two items.
func ownServer() {
	serve(listening(), false)
	client := connect(builder())
	models(client, false)
	for _, code := range []string{"plain", "rejected", "invalid", "custom"} {
		one("answers", client.RequestResponse(text("error "+code)))
		many("items", client.RequestStream(text("error "+code)), 0, 0)
	}
	leave(client)
}

func ownLeases() {
	serve(listening(), true)
	leases()
}

func certificate() tls.Certificate {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(err)
	about := x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: host},
		DNSNames:     []string{host},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(24 * time.Hour),
	}
	made, err := x509.CreateCertificate(rand.Reader, &about, &about, &key.PublicKey, key)
	check(err)
	return tls.Certificate{Certificate: [][]byte{made}, PrivateKey: key}
}

func overTLS() {
	secrets, err := os.Create("secrets.txt")
	check(err)
	own := &tls.Config{Certificates: []tls.Certificate{certificate()}}
	trusting := &tls.Config{InsecureSkipVerify: true, KeyLogWriter: secrets}
	serve(rsocket.TCPServer().SetHostAndPort(host, secure).SetTLSConfig(own).Build(), false)
	client := start(builder(), rsocket.TCPClient().SetHostAndPort(host, secure).SetTLSConfig(trusting).Build())
	models(client, false)
	leave(client)
}

func main() {
	carrier = os.Args[2]
	map[string]func(){
		"interactions": interactions, "errors": failing, "cancels": cancels,
		"composite_metadata": composite, "fragments": fragments, "keepalive": keepalive,
		"requests_from_server": answersServer, "lease": leases, "resume": resume,
		"setup_refused": refused, "own_server": ownServer, "own_lease": ownLeases, "tls": overTLS,
	}[os.Args[1]]()
	lock.Lock()
	out, err := json.Marshal(counted)
	check(err)
	fmt.Println(string(out))
	os.Exit(0)
}
