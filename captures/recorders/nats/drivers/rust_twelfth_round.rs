// What async-nats is made to do in the twelfth round of the blind test; prints what it counted.
use async_nats::jetstream::{self, consumer::pull};
use futures::StreamExt;
use std::time::Duration;
use tokio::time::{sleep, timeout, Instant};

type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

async fn conn(name: &str) -> Res<async_nats::Client> {
    Ok(async_nats::ConnectOptions::new().name(name).connect("127.0.0.1:4222").await?)
}

/// A source reads the rides of a stream into its tables, and acknowledges them, or takes it for granted that nobody asks for that.
async fn rides(acknowledges: bool) -> Res<String> {
    let meter = conn("meter").await?;
    let js = jetstream::new(meter.clone());
    js.create_stream(jetstream::stream::Config { name: "rides".into(), subjects: vec!["rides.*".into()], storage: jetstream::stream::StorageType::Memory, ..Default::default() }).await?;
    let source = conn("source").await?;
    let stream = jetstream::new(source.clone()).get_stream("rides").await?;
    let consumer = stream.create_consumer(pull::Config { durable_name: Some("tables".into()), ack_wait: Duration::from_millis(2200), ..Default::default() }).await?;
    let reading = tokio::spawn(async move {
        let (mut rows, mut again) = (0, 0);
        let start = Instant::now();
        let mut messages = consumer.stream().max_messages_per_batch(40).expires(Duration::from_secs(3)).messages().await.unwrap();
        while start.elapsed() < Duration::from_secs(10) {
            if let Ok(Some(Ok(m))) = timeout(Duration::from_millis(500), messages.next()).await {
                rows += 1;
                if m.info().unwrap().delivered > 1 { again += 1; }
                if acknowledges { m.ack().await.unwrap(); }
            }
        }
        (rows, again)
    });
    let asked = tokio::spawn(async move {
        let mut asked = meter.subscribe("fare").await.unwrap();
        while let Some(m) = asked.next().await { if let Some(r) = m.reply { let _ = meter.publish(r, "2.20 per km".into()).await; } }
    });
    for n in 0..48 {
        js.publish(format!("rides.zone{}", n % 3), format!("ride {n} of {} km, cab {}", n % 13, n % 5).into()).await?.await?;
        if n % 6 == 0 { source.request("fare", "now".into()).await?; }
        sleep(Duration::from_millis(140)).await;
    }
    let (rows, again) = reading.await?;
    asked.abort();
    Ok(format!("{{\"published\": 48, \"rows\": {rows}, \"delivered_again\": {again}}}"))
}

#[tokio::main]
async fn main() -> Res<()> {
    println!("{}", rides(std::env::args().nth(1).unwrap() != "acknowledgements_never_sent").await?);
    std::process::exit(0);
}
