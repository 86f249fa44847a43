//! Reads a stream by one consumer after the other, beside a publisher: `locators STREAM`.

use futures::StreamExt;
use rabbitmq_stream_client::types::{ByteCapacity, Message, OffsetSpecification};
use rabbitmq_stream_client::Environment;
use std::time::Duration;
use tokio::time::{sleep, timeout};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let stream = arguments[1].as_str();
    let environment = Environment::builder().host("broker").port(5552).build().await?;
    environment.stream_creator().max_length(ByteCapacity::MB(50)).create(stream).await?;
    let producer = environment.producer().build(stream).await?;
    let (mut published, mut consumed) = (0, 0);
    for report in 0..9 {
        for _ in 0..6 {
            let text = format!("visit {published} of page {}", published % 5);
            producer.send_with_confirm(Message::builder().body(text).build()).await?;
            published += 1;
        }
        let from = OffsetSpecification::Offset(6 * report);
        let mut consumer = environment.consumer().offset(from).build(stream).await?;
        while let Ok(Some(Ok(_))) = timeout(Duration::from_millis(400), consumer.next()).await {
            consumed += 1;
        }
        consumer.handle().close().await?;
        sleep(Duration::from_millis(250)).await;
    }
    producer.close().await?;
    sleep(Duration::from_millis(1500)).await;
    println!("{{\"published\": {published}, \"consumed\": {consumed}}}");
    Ok(())
}
