//! A program that starts while the broker is not ready: `fifteenth_round STREAM waits|tries_again`.
//! It waits for its environment without a limit, or gives up after two seconds and tries again.

use rabbitmq_stream_client::types::{ByteCapacity, Message};
use rabbitmq_stream_client::Environment;
use std::time::Duration;
use tokio::time::{sleep, timeout};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (stream, waits) = (arguments[1].as_str(), arguments[2] == "waits");
    let patience = Duration::from_millis(if waits { 22_000 } else { 2_000 });
    let mut tries = 0;
    let mut environment = None;
    while environment.is_none() && tries < if waits { 1 } else { 9 } {
        tries += 1;
        match timeout(patience, Environment::builder().host("broker").port(5552).build()).await {
            Ok(Ok(made)) => environment = Some(made),
            _ => sleep(Duration::from_millis(500 * tries)).await,
        }
    }
    let mut published = 0;
    if let Some(environment) = environment {
        environment.stream_creator().max_length(ByteCapacity::MB(50)).create(stream).await?;
        let producer = environment.producer().client_provided_name("builds").build(stream).await?;
        for n in 0..40 {
            producer.send_with_confirm(Message::builder().body(format!("build {n}")).build()).await?;
            published += 1;
            sleep(Duration::from_millis(60)).await;
        }
        producer.close().await?;
    }
    println!("{{\"tries\": {tries}, \"published\": {published}}}");
    Ok(())
}
