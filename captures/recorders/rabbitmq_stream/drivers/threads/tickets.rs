//! A service that publishes, reads, and starts again where it stopped: `tickets STREAM`.

use futures::StreamExt;
use rabbitmq_stream_client::types::{ByteCapacity, Message, OffsetSpecification};
use rabbitmq_stream_client::Environment;
use std::time::Duration;
use tokio::time::{sleep, timeout};

type Anything = Result<(), Box<dyn std::error::Error>>;

async fn start(stream: &str, number: u64, published: &mut u64, consumed: &mut u64, next: &mut u64) -> Anything {
    let environment = Environment::builder().host("broker").port(5552).heartbeat(20).build().await?;
    if number == 0 {
        environment.stream_creator().max_length(ByteCapacity::MB(50)).create(stream).await?;
    }
    let mut producer = environment.producer().name("tickets").build(stream).await?;
    let reader = environment.consumer().name("printer");
    let mut consumer = match number {
        0 => reader.offset(OffsetSpecification::First).build(stream).await?,
        _ => reader.offset(OffsetSpecification::Offset(*next)).build(stream).await?,
    };
    for batch in 0..4 {
        let text = |n| Message::builder().body(format!("ticket {number}.{batch}.{n}")).build();
        let sent = producer.batch_send_with_confirm((0..12).map(text).collect()).await?;
        *published += sent.len() as u64;
        for n in 0..3 {
            producer.send_with_confirm(text(20 + n)).await?;
            *published += 1;
        }
        sleep(Duration::from_millis(180)).await;
    }
    while let Ok(Some(Ok(delivery))) = timeout(Duration::from_millis(700), consumer.next()).await {
        *consumed += 1;
        *next = delivery.offset() + 1;
        if *consumed % 25 == 0 {
            consumer.store_offset(delivery.offset()).await?;
        }
    }
    consumer.handle().close().await?;
    producer.close().await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Anything {
    let arguments: Vec<String> = std::env::args().collect();
    let (mut published, mut consumed, mut next) = (0, 0, 0);
    for number in 0..3 {
        start(arguments[1].as_str(), number, &mut published, &mut consumed, &mut next).await?;
        sleep(Duration::from_millis(300)).await;
    }
    println!("{{\"published\": {published}, \"consumed\": {consumed}}}");
    Ok(())
}
