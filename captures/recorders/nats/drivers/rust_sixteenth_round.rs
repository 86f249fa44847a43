// What async-nats is made to do in the sixteenth round of the blind test; prints what it counted.
use futures::StreamExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{sleep, timeout, Instant};

type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Credentials come from a callback; where `stuck`, the callback waits for ever when it is called for another connection.
async fn conn(name: &str, stuck: bool) -> Res<async_nats::Client> {
    let calls = Arc::new(AtomicUsize::new(0));
    let options = async_nats::ConnectOptions::with_auth_callback(move |_nonce| {
        let calls = calls.clone();
        async move {
            if calls.fetch_add(1, Ordering::SeqCst) > 0 {
                if stuck { std::future::pending::<()>().await } else { sleep(Duration::from_millis(700)).await }
            }
            let mut auth = async_nats::Auth::new();
            auth.username = Some("app".into());
            auth.password = Some("throwaway".into());
            Ok(auth)
        }
    });
    Ok(options.name(name).connection_timeout(Duration::from_secs(12)).reconnect_delay_callback(|_| Duration::from_millis(300)).connect("127.0.0.1:4222").await?)
}

#[tokio::main]
async fn main() -> Res<()> {
    let stuck = std::env::args().nth(1).unwrap() == "silent_after_reconnect";
    let (drone, tower, map) = (conn("drone", stuck).await?, conn("tower", false).await?, conn("map", false).await?);
    let mut orders = drone.subscribe("drone.orders").await?;
    let mut shown = map.subscribe("drone.>").await?;
    let (taken, seen) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (own, own_seen) = (taken.clone(), seen.clone());
    tokio::spawn(async move {
        while let Some(m) = orders.next().await {
            own.fetch_add(1, Ordering::SeqCst);
            if let Some(reply) = m.reply { let _ = drone.publish(reply, "done".into()).await; }
        }
    });
    tokio::spawn(async move { while shown.next().await.is_some() { own_seen.fetch_add(1, Ordering::SeqCst); } });
    let (mut done, mut undone, start) = (0, 0, Instant::now());
    while start.elapsed() < Duration::from_secs(17) {
        if !(3600..6600).contains(&start.elapsed().as_millis()) {
            match timeout(Duration::from_secs(1), tower.request("drone.orders", format!("fly to {}", done % 7).into())).await { Ok(Ok(_)) => done += 1, _ => undone += 1 }
        }
        sleep(Duration::from_millis(500)).await;
    }
    println!("{{\"done\": {done}, \"undone\": {undone}, \"taken\": {}, \"seen\": {}}}", taken.load(Ordering::SeqCst), seen.load(Ordering::SeqCst));
    std::process::exit(0);
}
