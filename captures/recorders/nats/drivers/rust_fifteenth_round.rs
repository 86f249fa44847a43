// What async-nats is made to do in the fifteenth round of the blind test; prints what it counted.
use async_nats::jetstream::{self, consumer::pull, kv, object_store};

use futures::StreamExt;
use std::future::IntoFuture;
use std::time::Duration;
use tokio::time::{sleep, timeout, Instant};

type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

async fn conn(name: &str) -> Res<async_nats::Client> {
    Ok(async_nats::ConnectOptions::new().name(name).reconnect_delay_callback(|_| Duration::from_millis(300)).connect("127.0.0.1:4222").await?)
}

async fn stream(js: &jetstream::Context, name: &str) -> Res<()> {
    js.create_stream(jetstream::stream::Config { name: name.into(), subjects: vec![format!("{name}.>")], storage: jetstream::stream::StorageType::File, ..Default::default() }).await?;
    Ok(())
}

/// A scale asks for one weighing at a time and waits for it without a limit; the server is restarted while it waits.
async fn weighings() -> Res<String> {
    let (gate, scale) = (conn("gate").await?, conn("scale").await?);
    let js = jetstream::new(gate.clone());
    stream(&js, "weighings").await?;
    js.get_stream("weighings").await?.create_consumer(pull::Config { durable_name: Some("scale".into()), ack_wait: Duration::from_secs(20), ..Default::default() }).await?;
    let pulling = tokio::spawn(async move {
        let (mut taken, start) = (0, Instant::now());
        while start.elapsed() < Duration::from_secs(16) {
            let inbox = scale.new_inbox();
            let mut answers = scale.subscribe(inbox.clone()).await.unwrap();
            answers.unsubscribe_after(1).await.unwrap();
            scale.publish_with_reply("$JS.API.CONSUMER.MSG.NEXT.weighings.scale", inbox, "1".into()).await.unwrap();
            let Ok(Some(m)) = timeout(Duration::from_secs(16).saturating_sub(start.elapsed()), answers.next()).await else { break };
            if let Some(reply) = m.reply { scale.publish(reply, "+ACK".into()).await.unwrap(); taken += 1; }
        }
        taken
    });
    let (mut published, start) = (0, Instant::now());
    while start.elapsed() < Duration::from_secs(15) {
        if !(3900..6400).contains(&start.elapsed().as_millis()) {
            if let Ok(Ok(_)) = timeout(Duration::from_secs(1), js.publish("weighings.north", format!("lorry {published}: {} kg", 9000 + 37 * published).into()).await?.into_future()).await { published += 1; }
        }
        sleep(Duration::from_millis(500)).await;
    }
    let taken = pulling.await?;
    gate.drain().await?;
    sleep(Duration::from_millis(200)).await;
    Ok(format!("{{\"published\": {published}, \"taken\": {taken}}}"))
}

/// A museum: exhibits in an object store, tickets in a work stream with two takers, opening hours in a bucket, over a restart.
async fn museum() -> Res<String> {
    let desk = conn("desk").await?;
    let js = jetstream::new(desk.clone());
    stream(&js, "tickets").await?;
    let hours = js.create_key_value(kv::Config { bucket: "hours".into(), history: 4, ..Default::default() }).await?;
    let exhibits = js.create_object_store(object_store::Config { bucket: "exhibits".into(), ..Default::default() }).await?;
    js.get_stream("tickets").await?.create_consumer(pull::Config { durable_name: Some("doors".into()), ack_wait: Duration::from_secs(9), ..Default::default() }).await?;
    let mut doors = vec![];
    for n in 0..2 {
        let own = conn(&format!("door-{n}")).await?;
        doors.push(tokio::spawn(async move {
            let (mut taken, start) = (0, Instant::now());
            while start.elapsed() < Duration::from_secs(17) {
                let context = jetstream::new(own.clone());
                let Ok(consumer) = context.get_consumer_from_stream::<pull::Config, _, _>("doors", "tickets").await else { sleep(Duration::from_millis(500)).await; continue };
                let Ok(mut messages) = consumer.stream().max_messages_per_batch(12).expires(Duration::from_secs(4)).heartbeat(Duration::from_secs(1)).messages().await else { continue };
                while let Ok(Some(next)) = timeout(Duration::from_secs(17).saturating_sub(start.elapsed()), messages.next()).await {
                    match next { Ok(m) => { sleep(Duration::from_millis(40)).await; if m.ack().await.is_ok() { taken += 1; } } Err(_) => break }
                }
            }
            own.drain().await.unwrap();
            sleep(Duration::from_millis(300)).await;
            taken
        }));
    }
    let (mut sold, mut again) = (0, 0);
    for n in 0..70 {
        for _ in 0..12 {
            let mut headers = async_nats::HeaderMap::new();
            headers.insert("Nats-Msg-Id", format!("ticket-{n}"));
            let sent = js.publish_with_headers(format!("tickets.hall{}", n % 3), headers, format!("ticket {n} for two").into()).await?;
            match timeout(Duration::from_secs(1), sent.into_future()).await { Ok(Ok(_)) => { sold += 1; break } _ => { again += 1; sleep(Duration::from_millis(400)).await } }
        }
        if n % 9 == 0 { let _ = hours.put("monday", format!("from {} to 18", 8 + n % 3).into()).await; }
        if n % 20 == 3 { let _ = exhibits.put(format!("vase-{n}").as_str(), &mut vec![b'v'; 9000].as_slice()).await; }
        sleep(Duration::from_millis(150)).await;
    }
    let mut taken = 0;
    for door in doors { taken += door.await?; }
    desk.drain().await?;
    sleep(Duration::from_millis(300)).await;
    Ok(format!("{{\"sold\": {sold}, \"again\": {again}, \"taken\": {taken}}}"))
}

#[tokio::main]
async fn main() -> Res<()> {
    println!("{}", if std::env::args().nth(1).unwrap() == "pull_lost_in_a_restart" { weighings().await? } else { museum().await? });
    std::process::exit(0);
}
