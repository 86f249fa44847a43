//! Plays the fourteenth round of the blind test by the Rust client: `fourteenth_round PLAY STREAM`.

use futures::StreamExt;
use rabbitmq_stream_client::types::{ByteCapacity, HashRoutingMurmurStrategy, Message, OffsetSpecification, RoutingStrategy};
use rabbitmq_stream_client::{Environment, NoDedup, Producer};
use std::time::Duration;
use tokio::time::{sleep, timeout};

type Anything<T> = Result<T, Box<dyn std::error::Error>>;

async fn environment() -> Anything<Environment> {
    Ok(Environment::builder().host("broker").port(5552).heartbeat(6).build().await?)
}

/// A step of a parcel, with its place among the steps of that parcel.
fn step(parcel: u32, sequence: u32) -> Message {
    let text = ["packed", "labelled", "loaded", "on its way", "delivered"][sequence as usize % 5];
    Message::builder()
        .properties()
        .group_id(format!("parcel-{parcel}"))
        .group_sequence(sequence)
        .message_builder()
        .body(format!("parcel {parcel} is {text}"))
        .build()
}

/// Steps of parcels by a pool of three connections: any of them for each step, or one for each parcel.
async fn parcels(stream: &str, by_parcel: bool) -> Anything<()> {
    let mut pool: Vec<Producer<NoDedup>> = vec![];
    let mut environments = vec![];
    for n in 0..3u64 {
        let own = environment().await?;
        if n == 0 {
            own.stream_creator().max_length(ByteCapacity::MB(50)).create(stream).await?;
        }
        let name = format!("depot-{n}");
        pool.push(own.producer().client_provided_name(&name).build(stream).await?);
        environments.push(own);
    }
    let mut consumer = environments[0].consumer().client_provided_name("tracking").offset(OffsetSpecification::First).build(stream).await?;
    let mut waiting: Vec<Vec<Message>> = vec![vec![], vec![], vec![]];
    let mut sent = 0usize;
    for round in 0..40usize {
        for parcel in 0..4u32 {
            let at = if by_parcel { parcel as usize % 3 } else { sent % 3 };
            waiting[at].push(step(round as u32 / 5 * 4 + parcel, round as u32 % 5));
            sent += 1;
        }
        for (n, batch) in waiting.iter_mut().enumerate() {
            // each connection sends what it has when its batch is full
            if batch.len() >= 3 + 2 * n || round == 39 {
                let all = std::mem::take(batch);
                if !all.is_empty() {
                    pool[n].batch_send_with_confirm(all).await?;
                }
            }
        }
        sleep(Duration::from_millis(110)).await;
    }
    let mut consumed = 0;
    while let Ok(Some(Ok(_))) = timeout(Duration::from_millis(900), consumer.next()).await {
        consumed += 1;
    }
    consumer.handle().close().await?;
    for producer in pool {
        producer.close().await?;
    }
    println!("{{\"published\": {sent}, \"consumed\": {consumed}}}");
    Ok(())
}

fn key(message: &Message) -> String {
    message.properties().and_then(|p| p.group_id.clone()).unwrap_or_default().to_string()
}

/// A super stream with a busy producer, a consumer of all partitions, one that filters nothing, and a rest.
async fn regions(stream: &str) -> Anything<()> {
    let (source, reader) = (environment().await?, environment().await?);
    source.stream_creator().max_length(ByteCapacity::MB(50)).create_super_stream(stream, 3, None).await?;
    sleep(Duration::from_millis(400)).await;
    let hash = HashRoutingMurmurStrategy { routing_extractor: &key };
    let mut producer = source.super_stream_producer(RoutingStrategy::HashRoutingStrategy(hash)).client_provided_name("regions").build(stream).await?;
    let (mut sent, mut consumed) = (0, 0);
    for session in 0..2u32 {
        let mut consumer = reader.super_stream_consumer().offset(if session == 0 { OffsetSpecification::First } else { OffsetSpecification::Next }).client_provided_name("map").build(stream).await?;
        for round in 0..16u32 {
            for n in 0..4 {
                producer.send(step(round * 4 + n, session), |_| async {}).await?;
                sent += 1;
            }
            while let Ok(Some(Ok(_))) = timeout(Duration::from_millis(120), consumer.next()).await {
                consumed += 1;
            }
        }
        sleep(Duration::from_secs(if session == 0 { 1 } else { 8 })).await;
        consumer.handle().close().await?;
    }
    producer.close().await?;
    println!("{{\"published\": {sent}, \"consumed\": {consumed}}}");
    Ok(())
}

#[tokio::main]
async fn main() -> Anything<()> {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments[1].as_str() {
        "any" => parcels(&arguments[2], false).await,
        "own" => parcels(&arguments[2], true).await,
        _ => regions(&arguments[2]).await,
    }
}
