// What async-nats is made to do in the eleventh round of the blind test; prints what it counted.
use async_nats::jetstream::{self, kv};
use futures::StreamExt;
use std::time::Duration;
use tokio::time::{sleep, timeout, Instant};

type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

async fn conn(name: &str) -> Res<async_nats::Client> {
    Ok(async_nats::ConnectOptions::new().name(name).connect("127.0.0.1:4222").await?)
}

async fn bucket(nc: &async_nats::Client, name: &str) -> Res<kv::Store> {
    let config = kv::Config { bucket: name.into(), history: 3, storage: jetstream::stream::StorageType::File, ..Default::default() };
    Ok(jetstream::new(nc.clone()).create_key_value(config).await?)
}

/// A service watches its settings while the server restarts; it waits for the next one all the time, or handles one just then.
async fn settings(waits: bool) -> Res<String> {
    let admin = conn("admin").await?;
    let store = bucket(&admin, "settings").await?;
    let service = conn("gateway").await?;
    let own = jetstream::new(service.clone()).get_key_value("settings").await?;
    let watching = tokio::spawn(async move {
        let (mut seen, mut failed) = (0, 0);
        let mut watch = own.watch_all().await.unwrap();
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(33) {
            if !waits && start.elapsed() > Duration::from_secs(3) && start.elapsed() < Duration::from_secs(16) {
                sleep(Duration::from_secs(13)).await; // a setting that takes long to apply
            }
            match timeout(Duration::from_secs(1), watch.next()).await {
                Ok(Some(Ok(_))) => seen += 1,
                Ok(Some(Err(_))) => failed += 1,
                Ok(None) => break,
                Err(_) => {}
            }
        }
        (seen, failed)
    });
    let requests = tokio::spawn(async move {
        let mut asked = service.queue_subscribe("route.find", "gateways".into()).await.unwrap();
        while let Some(m) = asked.next().await {
            if let Some(r) = m.reply { let _ = service.publish(r, "upstream-2".into()).await; }
        }
    });
    let (mut put, mut failed) = (0, 0);
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(32) {
        match timeout(Duration::from_secs(2), store.put(format!("limit.{}", put % 4), format!("{put}").into())).await { Ok(Ok(_)) => put += 1, _ => failed += 1 }
        let _ = timeout(Duration::from_secs(1), admin.request("route.find", "orders".into())).await;
        sleep(Duration::from_millis(650)).await;
    }
    let (seen, errors) = watching.await?;
    requests.abort();
    Ok(format!("{{\"put\": {put}, \"put_failed\": {failed}, \"seen\": {seen}, \"errors_of_the_watch\": {errors}}}"))
}

/// A dashboard watches the history of a bucket that is empty at first, and watches again when that ends.
async fn empty_bucket() -> Res<String> {
    let admin = conn("importer").await?;
    let store = bucket(&admin, "stations").await?;
    let board = earlier::ConnectOptions::new().name("dashboard").connect("127.0.0.1:4222").await?;
    let own = earlier::jetstream::new(board).get_key_value("stations").await?;
    let watching = tokio::spawn(async move {
        let (mut made, mut seen) = (0, 0);
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(9) {
            made += 1;
            if let Ok(mut watch) = own.watch_with_history("eu.>").await {
                while let Ok(Some(Ok(_))) = timeout(Duration::from_millis(600), watch.next()).await { seen += 1; }
            }
            sleep(Duration::from_millis(150)).await;
        }
        (made, seen)
    });
    for n in 0..60 {
        store.put(format!("us.{}", n % 7), format!("station {n}").into()).await?;
        sleep(Duration::from_millis(150)).await;
    }
    let (made, seen) = watching.await?;
    Ok(format!("{{\"put\": 60, \"watches\": {made}, \"seen\": {seen}}}"))
}

/// The same with the release in which the watch stays.
async fn empty_bucket_waited_for() -> Res<String> {
    let admin = conn("importer").await?;
    let store = bucket(&admin, "stations").await?;
    let own = jetstream::new(conn("dashboard").await?).get_key_value("stations").await?;
    let watching = tokio::spawn(async move {
        let mut seen = 0;
        let mut watch = own.watch_with_history("eu.>").await.unwrap();
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(9) {
            if let Ok(Some(Ok(_))) = timeout(Duration::from_millis(600), watch.next()).await { seen += 1; }
        }
        seen
    });
    for n in 0..60 {
        store.put(format!("us.{}", n % 7), format!("station {n}").into()).await?;
        sleep(Duration::from_millis(150)).await;
    }
    let seen = watching.await?;
    Ok(format!("{{\"put\": 60, \"watches\": 1, \"seen\": {seen}}}"))
}

/// A healthy program: work that fails now and then, a service with two endpoints, a file, and a second run.
async fn workshop() -> Res<String> {
    let nc = conn("workshop").await?;
    let js = jetstream::new(nc.clone());
    let stream = js.create_stream(jetstream::stream::Config { name: "repairs".into(), subjects: vec!["repairs.>".into()], retention: jetstream::stream::RetentionPolicy::WorkQueue, ..Default::default() }).await?;
    let files = js.create_object_store(jetstream::object_store::Config { bucket: "photos".into(), ..Default::default() }).await?;
    let (mut published, mut handled, mut refused, mut read) = (0, 0, 0, 0);
    for run in 0..2 {
        let mut acks = Vec::new();
        for n in 0..45 {
            acks.push(js.publish(format!("repairs.bike.{}", n % 3), format!("repair {run}-{n}").into()).await?);
        }
        for ack in acks { ack.await?; published += 1; }
        let worker = conn(&format!("mechanic-{run}")).await?;
        let own = jetstream::new(worker.clone());
        let consumer = own.get_stream("repairs").await?.get_or_create_consumer("mechanics", jetstream::consumer::pull::Config { durable_name: Some("mechanics".into()), ack_wait: Duration::from_secs(4), max_deliver: 3, ..Default::default() }).await?;
        let mut left = 45;
        while left > 0 {
            let mut batch = consumer.batch().max_messages(15).expires(Duration::from_secs(1)).messages().await?;
            while let Some(m) = batch.next().await {
                let m = m?;
                let again = m.info()?.delivered > 1;
                if handled % 9 == 4 && !again { m.ack_with(jetstream::AckKind::Nak(Some(Duration::from_millis(300)))).await?; refused += 1; handled += 1; }
                else { m.double_ack().await?; left -= 1; if !again { handled += 1; } }
            }
        }
        let mut photo: &[u8] = &vec![run as u8; 9000];
        files.put("wheel.jpg", &mut photo).await?;
        let mut object = files.get("wheel.jpg").await?;
        let mut got = Vec::new();
        tokio::io::AsyncReadExt::read_to_end(&mut object, &mut got).await?;
        read += got.len();
        worker.drain().await?;
        sleep(Duration::from_millis(400)).await;
    }
    drop(stream);
    nc.drain().await?;
    sleep(Duration::from_millis(300)).await;
    Ok(format!("{{\"published\": {published}, \"refused\": {refused}, \"bytes_read\": {read}}}"))
}

#[tokio::main]
async fn main() -> Res<()> {
    let counted = match std::env::args().nth(1).unwrap().as_str() {
        "watch_lost_at_a_restart" => settings(false).await?,
        "watch_goes_on_over_a_restart" => settings(true).await?,
        "watch_of_an_empty_bucket_ends" => empty_bucket().await?,
        "watch_of_an_empty_bucket_stays" => empty_bucket_waited_for().await?,
        _ => workshop().await?,
    };
    println!("{counted}");
    std::process::exit(0);
}
