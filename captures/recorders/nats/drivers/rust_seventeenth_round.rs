// What async-nats is made to do in the seventeenth round of the blind test; prints what it counted.
use futures::{SinkExt, StreamExt};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout, Instant};

type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

async fn conn(name: &str, events: Arc<AtomicUsize>) -> Res<async_nats::Client> {
    Ok(async_nats::ConnectOptions::new().name(name).event_callback(move |_| { let events = events.clone(); async move { events.fetch_add(1, Ordering::SeqCst); } })
        .reconnect_delay_callback(|_| Duration::from_millis(400)).connect("127.0.0.1:4222").await?)
}

#[tokio::main]
async fn main() -> Res<()> {
    let events = Arc::new(AtomicUsize::new(0));
    let read = Arc::new(AtomicUsize::new(0));
    let source = conn("source", events.clone()).await?;
    let start = Instant::now();
    let mut sessions = Vec::new();
    for n in 0..3 {
        let mut session = conn(&format!("session-{n}"), events.clone()).await?;
        let mut sub = session.subscribe("news.>").await?;
        let own = read.clone();
        let task = tokio::spawn(async move { while sub.next().await.is_some() { own.fetch_add(1, Ordering::SeqCst); } });
        sessions.push(tokio::spawn(async move {
            sleep(Duration::from_millis(5500)).await;
            task.abort();
            let _ = timeout(Duration::from_secs(1), session.close()).await;
        }));
    }
    let mut sent = 0;
    while start.elapsed() < Duration::from_secs(16) {
        if source.connection_state() == async_nats::connection::State::Connected { source.publish("news.local", format!("item {sent}").into()).await?; sent += 1; }
        sleep(Duration::from_millis(400)).await;
    }
    for each in sessions { let _ = each.await; }
    println!("{{\"sent\": {sent}, \"read\": {}, \"events\": {}}}", read.load(Ordering::SeqCst), events.load(Ordering::SeqCst));
    std::process::exit(0);
}
