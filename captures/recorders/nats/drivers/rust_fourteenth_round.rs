// What async-nats is made to do in the fourteenth round of the blind test; prints what it counted.
use async_nats::jetstream::{self, consumer::{pull, DeliverPolicy}, kv};
use futures::StreamExt;
use std::time::Duration;
use tokio::time::{sleep, timeout, Instant};

type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

async fn conn(name: &str) -> Res<async_nats::Client> {
    Ok(async_nats::ConnectOptions::new().name(name).connect("127.0.0.1:4222").await?)
}

/// A report reads the sales each three seconds through a consumer that goes after a while without a reader, and makes it again as it was first made.
async fn sales(threshold: Duration) -> Res<String> {
    let desk = conn("desk").await?;
    let js = jetstream::new(desk.clone());
    js.create_stream(jetstream::stream::Config { name: "sales".into(), subjects: vec!["sales.*".into()], storage: jetstream::stream::StorageType::Memory, ..Default::default() }).await?;
    let prices = js.create_key_value(kv::Config { bucket: "prices".into(), history: 3, storage: jetstream::stream::StorageType::Memory, ..Default::default() }).await?;
    prices.put("bread", "320".into()).await?;
    let report = conn("report").await?;
    let own = jetstream::new(report.clone());
    let stream = own.get_stream("sales").await?;
    let reading = tokio::spawn(async move {
        let config = pull::Config { name: Some("report".into()), deliver_policy: DeliverPolicy::New, inactive_threshold: threshold, ..Default::default() };
        let mut consumer = stream.create_consumer(config.clone()).await.unwrap();
        let (mut read, mut made, start) = (0, 1, Instant::now());
        while start.elapsed() < Duration::from_secs(13) {
            if stream.consumer_info("report").await.is_err() {
                consumer = stream.create_consumer(config.clone()).await.unwrap();
                made += 1;
            }
            let mut batch = consumer.fetch().max_messages(50).messages().await.unwrap();
            while let Ok(Some(Ok(m))) = timeout(Duration::from_millis(800), batch.next()).await {
                read += 1;
                m.ack().await.unwrap();
            }
            sleep(Duration::from_secs(3)).await;
        }
        (read, made)
    });
    let watched = prices.clone();
    let watching = tokio::spawn(async move {
        let mut changes = watched.watch_all().await.unwrap();
        while changes.next().await.is_some() {}
    });
    for n in 0..60 {
        js.publish(format!("sales.till{}", n % 3), format!("sale {n}: {} loaves", 1 + n % 4).into()).await?.await?;
        if n % 10 == 0 { prices.put("bread", format!("{}", 320 + n).into()).await?; }
        sleep(Duration::from_millis(210)).await;
    }
    let (read, made) = reading.await?;
    watching.abort();
    report.drain().await?;
    sleep(Duration::from_millis(200)).await;
    Ok(format!("{{\"published\": 60, \"read\": {read}, \"made\": {made}}}"))
}

#[tokio::main]
async fn main() -> Res<()> {
    let threshold = if std::env::args().nth(1).unwrap() == "consumer_goes_between_reports" { 2 } else { 30 };
    println!("{}", sales(Duration::from_secs(threshold)).await?);
    std::process::exit(0);
}
