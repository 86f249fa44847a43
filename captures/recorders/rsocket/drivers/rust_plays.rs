//! Plays scenarios with rsocket_rust; prints as JSON what it counted.
//!
//!     rust_plays PLAY tcp|websocket
//!
//! The server is another program, but for the play `own_server`.

use async_stream::stream;
use bytes::Bytes;
use futures::StreamExt;
use rsocket_rust::async_trait;
use rsocket_rust::error::RSocketError;
use rsocket_rust::extension::{CompositeMetadata, MimeType, RoutingMetadata};
use rsocket_rust::prelude::*;
use rsocket_rust::transport::Connection;
use rsocket_rust::utils::*; // the trait that writes tags
use rsocket_rust::{Client, ClientBuilder, Result};
use rsocket_rust_transport_tcp::{TcpClientTransport, TcpServerTransport};
use rsocket_rust_transport_websocket::{WebsocketClientTransport, WebsocketServerTransport};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::{sleep, timeout};

const ADDRESS: &str = "127.0.0.1:7000";
static COUNTED: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());

fn count(name: &str) {
    *COUNTED.lock().unwrap().entry(name.to_string()).or_default() += 1;
}

async fn pause(milliseconds: u64) {
    sleep(Duration::from_millis(milliseconds)).await
}

fn text(data: &str) -> Payload {
    Payload::builder().set_data_utf8(data).build()
}

fn both(data: &str, metadata: &str) -> Payload {
    Payload::builder().set_data_utf8(data).set_metadata_utf8(metadata).build()
}

fn items(number: usize) -> Flux<Result<Payload>> {
    Box::pin(stream! {
        for at in 0..number {
            yield Ok(text(&format!("item {}", at)));
        }
    })
}

struct Responder;

#[async_trait]
impl RSocket for Responder {
    async fn metadata_push(&self, _: Payload) -> Result<()> {
        count("served_metadata_push");
        Ok(())
    }

    async fn fire_and_forget(&self, _: Payload) -> Result<()> {
        count("served_fire_and_forget");
        Ok(())
    }

    async fn request_response(&self, asked: Payload) -> Result<Option<Payload>> {
        count("served_request_response");
        match asked.data_utf8() {
            Some("error") => Err(RSocketError::RequestRejected("on purpose".into()).into()),
            _ => Ok(Some(both("pong", "served"))),
        }
    }

    fn request_stream(&self, asked: Payload) -> Flux<Result<Payload>> {
        count("served_request_stream");
        items(asked.data_utf8().and_then(|said| said.parse().ok()).unwrap_or(2))
    }

    fn request_channel(&self, mut asked: Flux<Result<Payload>>) -> Flux<Result<Payload>> {
        count("served_request_channel");
        Box::pin(stream! {
            while let Some(Ok(each)) = asked.next().await {
                yield Ok(text(&format!("echo {}", each.data_utf8().unwrap_or(""))));
            }
        })
    }
}

struct Options {
    mime: (&'static str, &'static str),
    keepalive: u64,
    mtu: usize,
}

const USUAL: Options = Options { mime: ("text/plain", "text/plain"), keepalive: 2000, mtu: 0 };

async fn start<T, C>(builder: ClientBuilder<T, C>, how: &Options) -> Client
where
    T: Send + Sync + Transport<Conn = C> + 'static,
    C: Send + Sync + Connection + 'static,
{
    builder
        .mime_type(how.mime.0, how.mime.1)
        .keepalive(Duration::from_millis(how.keepalive), Duration::from_secs(5), 3)
        .fragment(how.mtu)
        .acceptor(Box::new(|| Box::new(Responder)))
        .start()
        .await
        .unwrap()
}

async fn connect(carrier: &str, how: Options) -> Client {
    if carrier == "tcp" {
        let transport = TcpClientTransport::from(ADDRESS);
        start(RSocketFactory::connect().transport(transport), &how).await
    } else {
        let transport = WebsocketClientTransport::from("ws://127.0.0.1:7000/rsocket");
        start(RSocketFactory::connect().transport(transport), &how).await
    }
}

async fn one(name: &str, client: &Client, asked: Payload) {
    match timeout(Duration::from_secs(3), client.request_response(asked)).await {
        Ok(Ok(_)) => count(name),
        Ok(Err(_)) => count("errors"),
        Err(_) => count("timeouts"),
    }
}

async fn many(name: &str, mut answers: Flux<Result<Payload>>, most: usize) {
    let mut got = 0;
    while got < most {
        match timeout(Duration::from_secs(3), answers.next()).await {
            Ok(Some(Ok(_))) => count(name),
            Ok(Some(Err(_))) => count("errors"),
            Ok(None) => break,
            Err(_) => {
                count("timeouts");
                break;
            }
        }
        got += 1;
    }
}

async fn models(client: &Client) {
    for data in ["ping", "longer ping"] {
        one("answers", client, both(data, "meta")).await;
    }
    client.fire_and_forget(text("fire")).await.unwrap();
    many("items", client.request_stream(text("5")), usize::MAX).await;
    many("echoes", client.request_channel(items(3)), usize::MAX).await;
}

async fn interactions(carrier: &str) {
    let client = connect(carrier, USUAL).await;
    models(&client).await;
    pause(300).await;
}

async fn pushes(carrier: &str) {
    let client = connect(carrier, USUAL).await;
    let pushed = Payload::builder().set_metadata_utf8("pushed").build();
    client.metadata_push(pushed).await.unwrap();
    pause(100).await;
    one("answers", &client, text("ping")).await;
}

async fn errors(carrier: &str) {
    let client = connect(carrier, USUAL).await;
    for code in ["plain", "rejected", "invalid", "custom"] {
        let asked = format!("error {}", code);
        one("answers", &client, text(&asked)).await;
        many("items", client.request_stream(text(&asked)), usize::MAX).await;
    }
}

async fn cancels(carrier: &str) {
    let client = connect(carrier, USUAL).await;
    many("items", client.request_stream(text("slow 100")), 3).await;
    pause(400).await;
}

async fn composite(carrier: &str) {
    let mime = ("message/x.rsocket.composite-metadata.v0", "application/json");
    let client = connect(carrier, Options { mime, ..USUAL }).await;
    let route = RoutingMetadata::builder().push_str("users.find").build().bytes();
    let tags = RoutingMetadata::builder().push_str("users.find").push_str("shard-7").build().bytes();
    let routing = || MimeType::parse(0x7e).unwrap();
    for entries in [
        CompositeMetadata::builder().push(routing(), route.clone()),
        CompositeMetadata::builder()
            .push(routing(), tags)
            .push(MimeType::from("x/custom"), b"custom"),
        CompositeMetadata::builder()
            .push(MimeType::parse(0x7c).unwrap(), b"\x81throwaway.token")
            .push(routing(), route.clone()),
    ] {
        let metadata: Bytes = entries.build().into();
        let asked = Payload::builder().set_data_utf8("{\"id\": 1}").set_metadata(metadata.to_vec());
        one("answers", &client, asked.build()).await;
    }
}

async fn fragments(carrier: &str) {
    let large = "0123456789".repeat(20);
    let client = connect(carrier, Options { mtu: 64, ..USUAL }).await;
    one("answers", &client, both(&large, &large[..100])).await;
    pause(300).await;
}

/// Its own server gets the fragments that other servers refuse.
async fn own_server(carrier: &str) {
    let served = carrier == "tcp";
    tokio::spawn(async move {
        let acceptor = || -> ServerResponder { Box::new(|_, _| Ok(Box::new(Responder))) };
        if served {
            RSocketFactory::receive()
                .transport(TcpServerTransport::from(ADDRESS))
                .acceptor(acceptor())
                .serve()
                .await
        } else {
            RSocketFactory::receive()
                .transport(WebsocketServerTransport::from(ADDRESS))
                .acceptor(acceptor())
                .serve()
                .await
        }
    });
    pause(300).await;
    let client = connect(carrier, USUAL).await;
    models(&client).await;
    one("answers", &client, text("error")).await;
    pause(200).await;
}

/// A server that asks as soon as a client has come.
async fn own_server_asks(carrier: &str) {
    let acceptor: ServerResponder = Box::new(|_, socket| {
        tokio::spawn(async move {
            pause(200).await;
            for _ in 0..2 {
                match timeout(Duration::from_secs(1), socket.request_response(text("ask"))).await {
                    Ok(Ok(_)) => count("answers_to_server"),
                    _ => count("errors_to_server"),
                }
            }
        });
        Ok(Box::new(Responder))
    });
    let served = carrier == "tcp";
    tokio::spawn(async move {
        if served {
            let transport = TcpServerTransport::from(ADDRESS);
            RSocketFactory::receive().transport(transport).acceptor(acceptor).serve().await
        } else {
            let transport = WebsocketServerTransport::from(ADDRESS);
            RSocketFactory::receive().transport(transport).acceptor(acceptor).serve().await
        }
    });
    pause(300).await;
    let client = connect(carrier, USUAL).await;
    one("answers", &client, text("ping")).await;
    pause(1500).await;
}

/// A server that asks its client again and again, with a responder in the client or without one.
async fn server_asks_client(responds: bool) {
    let acceptor: ServerResponder = Box::new(|_, socket| {
        tokio::spawn(async move {
            for n in 0..12 {
                let asked = text(&format!("free beds in ward {}", n));
                match timeout(Duration::from_secs(1), socket.request_response(asked)).await {
                    Ok(Ok(_)) => count("answers_to_server"),
                    _ => count("errors_to_server"),
                }
                pause(220).await;
            }
        });
        Ok(Box::new(Responder))
    });
    tokio::spawn(async move {
        let transport = TcpServerTransport::from(ADDRESS);
        RSocketFactory::receive().transport(transport).acceptor(acceptor).serve().await
    });
    pause(300).await;
    let client = if responds {
        connect("tcp", USUAL).await
    } else {
        let transport = TcpClientTransport::from(ADDRESS);
        let builder = RSocketFactory::connect().transport(transport);
        builder.mime_type("text/plain", "text/plain").start().await.unwrap()
    };
    for n in 0..7 {
        one("answers", &client, text(&format!("patient {}", n))).await;
        many("items", client.request_stream(text("6")), usize::MAX).await;
        pause(330).await;
    }
    pause(600).await;
}

async fn keepalive(carrier: &str) {
    let client = connect(carrier, Options { keepalive: 400, ..USUAL }).await;
    pause(3500).await;
    one("answers", &client, text("ping")).await;
}

async fn answers_server(carrier: &str) {
    let client = connect(carrier, USUAL).await;
    one("answers", &client, text("ping")).await;
    pause(1500).await;
}

async fn refused(carrier: &str) {
    let client = connect(carrier, USUAL).await;
    one("answers", &client, text("ping")).await;
}

/// Questions about accounts, three at once.
async fn accounts(carrier: &str) {
    let client = connect(carrier, Options { mime: ("application/json", "text/plain"), ..USUAL }).await;
    for round in 0..20 {
        let all: Vec<String> = (0..3).map(|n| format!("{{\"id\": {}, \"account\": \"A-{}\"}}", 3 * round + n, n)).collect();
        futures::future::join_all(all.iter().map(|asked| one("answers", &client, text(asked)))).await;
        pause(180).await;
    }
    pause(300).await;
}

/// Three shifts, each with a connection: many at once, streams that are left, and rests.
async fn shifts(carrier: &str) {
    for shift in 0..3 {
        let client = connect(carrier, Options { mime: ("application/json", "text/plain"), keepalive: 1500, mtu: 0 }).await;
        for round in 0..6 {
            let all: Vec<String> = (0..8).map(|n| format!("{{\"id\": {}}}", 8 * round + n)).collect();
            futures::future::join_all(all.iter().map(|asked| one("answers", &client, text(asked)))).await;
            many("items", client.request_stream(text(&format!("rows {} page-{}", 5 + round, round))), usize::MAX).await;
            client.fire_and_forget(text("{\"seen\": 1}")).await.unwrap();
            if round == 2 {
                one("answers", &client, text("{\"account\": \"unknown\"}")).await;
            }
            pause(150).await;
        }
        pause(if shift == 1 { 6500 } else { 600 }).await;
        drop(client);
        pause(400).await;
    }
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let carrier = arguments[2].as_str();
    match arguments[1].as_str() {
        "interactions" => interactions(carrier).await,
        "metadata_push" => pushes(carrier).await,
        "errors" => errors(carrier).await,
        "cancels" => cancels(carrier).await,
        "composite_metadata" => composite(carrier).await,
        "fragments" => fragments(carrier).await,
        "keepalive" => keepalive(carrier).await,
        "requests_from_server" => answers_server(carrier).await,
        "setup_refused" => refused(carrier).await,
        "accounts" => accounts(carrier).await,
        "shifts" => shifts(carrier).await,
        "own_server" => own_server(carrier).await,
        "server_asks_client" => server_asks_client(true).await,
        "server_asks_in_vain" => server_asks_client(false).await,
        "own_server_asks" => own_server_asks(carrier).await,
        other => panic!("no play {}", other),
    }
    pause(300).await;
    println!("{:?}", COUNTED.lock().unwrap());
    std::process::exit(0);
}
