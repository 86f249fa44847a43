//! A consumer that comes back three times: `resumes STREAM STEP`; it goes on at the last offset that
//! it was handed, plus STEP. With 1 it stores that offset; otherwise it keeps it to itself.

use futures::StreamExt;
use rabbitmq_stream_client::types::{ByteCapacity, Message, OffsetSpecification};
use rabbitmq_stream_client::Environment;
use std::time::Duration;
use tokio::time::{sleep, timeout};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let stream = arguments[1].as_str();
    let step: u64 = arguments[2].parse()?;
    let environment = Environment::builder().host("broker").port(5552).build().await?;
    let creator = environment.stream_creator().max_length(ByteCapacity::MB(50));
    creator.create(stream).await?;
    let producer = environment.producer().build(stream).await?;
    let mut handed: Vec<u64> = vec![];
    let mut stored: Option<u64> = None;
    for round in 0..4u64 {
        let all = (0..10).map(|n| Message::builder().body(format!("message {}", round * 10 + n)).build());
        producer.batch_send_with_confirm(all.collect()).await?;
        let place = match stored {
            None => OffsetSpecification::First,
            Some(offset) => OffsetSpecification::Offset(offset + step),
        };
        let builder = environment.consumer().name("billing").offset(place);
        let mut consumer = builder.build(stream).await?;
        while let Ok(Some(Ok(delivery))) = timeout(Duration::from_millis(800), consumer.next()).await {
            handed.push(delivery.offset());
        }
        if let Some(last) = handed.last() {
            stored = Some(*last);
            if step == 1 {
                consumer.store_offset(*last).await?;
            }
        }
        sleep(Duration::from_millis(200)).await;
        consumer.handle().close().await?;
    }
    producer.close().await?;
    let first = handed.first().copied().unwrap_or(0);
    let last = handed.last().copied().unwrap_or(0);
    println!(
        "{{\"published\": 40, \"consumed\": {}, \"first_offset\": {first}, \"last_offset\": {last}}}",
        handed.len()
    );
    Ok(())
}
