//! Reports that are published by a producer of their own each, which is closed: `PROGRAM STREAM`.

use rabbitmq_stream_client::types::{ByteCapacity, Message};
use rabbitmq_stream_client::Environment;
use std::time::Duration;
use tokio::time::sleep;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let stream = std::env::args().nth(1).unwrap();
    let environment =
        Environment::builder().host("broker").port(5552).heartbeat(4).build().await?;
    environment.stream_creator().max_length(ByteCapacity::MB(50)).create(&stream).await?;
    let mut published = 0;
    for report in 0..9 {
        let producer = environment.producer().build(&stream).await?;
        for line in 0..6 {
            let text = format!("line {line} of report {report}");
            producer.send_with_confirm(Message::builder().body(text).build()).await?;
            published += 1;
            sleep(Duration::from_millis(40)).await;
        }
        producer.close().await?;
        sleep(Duration::from_millis(1700)).await;
    }
    sleep(Duration::from_millis(6000)).await;
    println!("{{\"published\": {published}}}");
    Ok(())
}
