// A healthy program on async-nats: a pull consumer that is stopped and started again, a watch, requests.
use async_nats::jetstream::{self, consumer::pull, kv};
use futures::StreamExt;
use std::time::Duration;
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = || async_nats::ConnectOptions::new().ping_interval(Duration::from_secs(4));
    let shop = options().name("shop").connect("127.0.0.1:4222").await?;
    let js = jetstream::new(shop.clone());
    let stream = js.get_or_create_stream(jetstream::stream::Config { name: "sales".into(), subjects: vec!["sales.*".into()], storage: jetstream::stream::StorageType::File, ..Default::default() }).await?;
    let bucket = js.create_key_value(kv::Config { bucket: "stock".into(), history: 4, storage: jetstream::stream::StorageType::File, ..Default::default() }).await?;
    let service = options().name("prices").connect("127.0.0.1:4222").await?;
    let mut asked = service.queue_subscribe("price.get", "prices".into()).await?;
    let answers = tokio::spawn(async move { while let Some(m) = asked.next().await { if let Some(r) = m.reply { let _ = service.publish(r, "9.90".into()).await; let _ = service.flush().await; } } });
    println!("ready");
    stream.get_or_create_consumer("report", pull::Config { durable_name: Some("report".into()), ack_wait: Duration::from_secs(5), ..Default::default() }).await?;
    let worker = tokio::spawn(async move {
        let mut handled = 0;
        for _ in 0..4 {
            let nc = async_nats::ConnectOptions::new().name("report").connect("127.0.0.1:4222").await.unwrap();
            let js = jetstream::new(nc.clone());
            let c: jetstream::consumer::PullConsumer = loop { match js.get_consumer_from_stream("report", "sales").await { Ok(c) => break c, Err(_) => tokio::time::sleep(Duration::from_millis(400)).await } };
            let mut messages = c.stream().max_messages_per_batch(10).heartbeat(Duration::from_secs(1)).expires(Duration::from_secs(3)).messages().await.unwrap();
            let end = tokio::time::Instant::now() + Duration::from_secs(7);
            while let Ok(Some(m)) = tokio::time::timeout_at(end, messages.next()).await {
                match m { Ok(m) => { tokio::time::sleep(Duration::from_millis(5)).await; if m.ack().await.is_ok() { handled += 1; } } Err(_) => { tokio::time::sleep(Duration::from_millis(400)).await; } }
            }
            drop(messages);
            let _ = nc.drain().await;
            tokio::time::sleep(Duration::from_millis(600)).await;
        }
        handled
    });
    let watcher = { let b = js.get_key_value("stock").await?; tokio::spawn(async move { let mut n = 0; if let Ok(mut w) = b.watch_all().await { while let Some(Ok(_)) = w.next().await { n += 1; } } n }) };
    let end = tokio::time::Instant::now() + Duration::from_secs(29);
    let (mut n, mut failed) = (0, 0);
    while tokio::time::Instant::now() < end {
        let mut headers = async_nats::HeaderMap::new();
        headers.insert("Nats-Msg-Id", format!("sale-{n}"));
        loop {
            let sent = async { js.publish_with_headers("sales.shop", headers.clone(), format!("sale {n}").into()).await?.await };
            match tokio::time::timeout(Duration::from_millis(900), sent).await { Ok(Ok(_)) => break, _ => { failed += 1; tokio::time::sleep(Duration::from_millis(250)).await; } }
        }
        if n % 5 == 0 && shop.request("price.get", "tea".into()).await.is_err() { failed += 1; }
        if n % 7 == 0 && bucket.put(format!("tea{}", n % 3), format!("{n}").into()).await.is_err() { failed += 1; }
        n += 1;
        tokio::time::sleep(Duration::from_millis(70)).await;
    }
    let handled = worker.await?;
    watcher.abort();
    answers.abort();
    shop.drain().await?;
    tokio::time::sleep(Duration::from_millis(300)).await;
    println!("{{\"sold\": {n}, \"handled\": {handled}, \"failed\": {failed}}}");
    Ok(())
}
