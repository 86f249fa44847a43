//! Half a minute of a service with the Rust client: `rust_long_run NAME`.

use futures::StreamExt;
use rabbitmq_stream_client::types::{ByteCapacity, Message, OffsetSpecification};
use rabbitmq_stream_client::{Consumer, Environment};
use std::time::Duration;
use tokio::time::{sleep, timeout};

type Anything<T> = Result<T, Box<dyn std::error::Error>>;

/// What comes within some milliseconds.
async fn drain(consumer: &mut Consumer, milliseconds: u64) -> (u64, Option<u64>) {
    let (mut many, mut last) = (0, None);
    while let Ok(Some(Ok(delivery))) =
        timeout(Duration::from_millis(milliseconds), consumer.next()).await
    {
        many += 1;
        last = Some(delivery.offset());
    }
    (many, last)
}

#[tokio::main]
async fn main() -> Anything<()> {
    let name = std::env::args().nth(1).unwrap_or_default();
    let orders = format!("{name}-orders");
    let environment = Environment::builder()
        .host("broker")
        .port(5552)
        .heartbeat(10)
        .build()
        .await?;
    let creator = environment
        .stream_creator()
        .max_length(ByteCapacity::GB(2));
    creator.create(&orders).await?;
    let plain = environment.producer().build(&orders).await?;
    let mut named = environment
        .producer()
        .name("billing")
        .build(&orders)
        .await?;
    let builder = environment.consumer().offset(OffsetSpecification::First);
    let mut reader = builder.build(&orders).await?;
    let (mut sent, mut handed, mut handed_to_job) = (0u64, 0, 0);
    let mut stored: Option<u64> = None;
    for round in 0..12u64 {
        let all = (0..20).map(|n| Message::builder().body(format!("order {}", sent + n)).build());
        plain.batch_send_with_confirm(all.collect()).await?;
        for n in 0..5 {
            let message = Message::builder()
                .publishing_id(round * 5 + n + 1)
                .body(format!("bill {}", round * 5 + n))
                .build();
            named.send_with_confirm(message).await?;
        }
        sent += 25;
        handed += drain(&mut reader, 600).await.0;
        if round % 3 == 2 {
            let place = match stored {
                None => OffsetSpecification::First,
                Some(offset) => OffsetSpecification::Offset(offset + 1),
            };
            let builder = environment.consumer().name("nightly").offset(place);
            let mut job = builder.build(&orders).await?;
            let (many, last) = drain(&mut job, 600).await;
            handed_to_job += many;
            if let Some(offset) = last {
                job.store_offset(offset).await?;
                stored = Some(offset);
            }
            sleep(Duration::from_millis(200)).await;
            job.handle().close().await?;
        }
        sleep(Duration::from_millis(900)).await;
    }
    reader.handle().close().await?;
    named.close().await?;
    plain.close().await?;
    println!("{{\"sent\": {sent}, \"handed\": {handed}, \"handed_to_the_job\": {handed_to_job}}}");
    Ok(())
}
