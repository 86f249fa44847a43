//! Four runs of a bookkeeper: `runs STREAM at_close|every_25th`; each goes on after the offset that
//! is stored under its name. It stores the offset of every 25th message, and perhaps the last one.

use futures::StreamExt;
use rabbitmq_stream_client::types::{ByteCapacity, Message, OffsetSpecification};
use rabbitmq_stream_client::Environment;
use std::time::Duration;
use tokio::time::{sleep, timeout};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let stream = arguments[1].as_str();
    let at_close = arguments[2] == "at_close";
    let environment = Environment::builder().host("broker").port(5552).build().await?;
    let creator = environment.stream_creator().max_length(ByteCapacity::MB(50));
    creator.create(stream).await?;
    let producer = environment.producer().client_provided_name("till").build(stream).await?;
    let mut handled: Vec<u64> = vec![];
    for round in 0..4u64 {
        for part in 0..6u64 {
            let all = (0..7).map(|n| Message::builder().body(format!("receipt {}.{part}.{n}", round)).build());
            producer.batch_send_with_confirm(all.collect()).await?;
            sleep(Duration::from_millis(60)).await;
        }
        let asking = environment.consumer().name("bookkeeper").offset(OffsetSpecification::Next).build(stream).await?;
        let stored = asking.query_offset().await.ok();
        asking.handle().close().await?;
        let place = stored.map_or(OffsetSpecification::First, |offset| OffsetSpecification::Offset(offset + 1));
        let builder = environment.consumer().name("bookkeeper").client_provided_name("bookkeeper").offset(place);
        let mut consumer = builder.build(stream).await?;
        let mut last = None;
        while let Ok(Some(Ok(delivery))) = timeout(Duration::from_millis(700), consumer.next()).await {
            handled.push(delivery.offset());
            last = Some(delivery.offset());
            if delivery.offset() % 25 == 24 {
                consumer.store_offset(delivery.offset()).await?;
            }
        }
        if let (true, Some(offset)) = (at_close, last) {
            consumer.store_offset(offset).await?;
        }
        sleep(Duration::from_millis(200)).await;
        consumer.handle().close().await?;
    }
    producer.close().await?;
    let all = handled.len();
    handled.sort_unstable();
    handled.dedup();
    println!("{{\"published\": 168, \"handled\": {all}, \"handled_again\": {}}}", all - handled.len());
    Ok(())
}
