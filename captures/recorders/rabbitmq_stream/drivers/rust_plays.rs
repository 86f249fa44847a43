//! What the Rust client is made to do: `rust_plays PLAY STREAM`; prints last what it counted.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

use futures::{Stream, StreamExt};
use rabbitmq_stream_client::types::{
    ByteCapacity, Delivery, HashRoutingMurmurStrategy, Message, OffsetSpecification,
    RoutingStrategy, SimpleValue,
};
use rabbitmq_stream_client::{Consumer, Environment, FilterConfiguration, NoDedup, Producer};
use serde_json::{json, Map, Value};
use tokio::time::{sleep, timeout};

type Facts = Map<String, Value>;
type Anything<T> = Result<T, Box<dyn std::error::Error>>;

/// What a consumer was handed.
#[derive(Default, Clone)]
struct Count {
    consumed: u64,
    first: Option<u64>,
    last: Option<u64>,
    bytes: u64,
    streams: BTreeMap<String, (u64, u64, u64)>,
}

impl Count {
    fn add(&mut self, delivery: &Delivery) {
        let offset = delivery.offset();
        self.consumed += 1;
        self.first = Some(self.first.map_or(offset, |first| first.min(offset)));
        self.last = Some(self.last.map_or(offset, |last| last.max(offset)));
        self.bytes += delivery
            .message()
            .data()
            .map_or(0, |data| data.len() as u64);
        let stream = self
            .streams
            .entry(delivery.stream().clone())
            .or_insert((0, offset, offset));
        *stream = (stream.0 + 1, stream.1.min(offset), stream.2.max(offset));
    }

    fn tell(&self, facts: &mut Facts, suffix: &str) {
        let offset = |value: Option<u64>| value.map_or(-1, |offset| offset as i64);
        facts.insert(format!("consumed{suffix}"), json!(self.consumed));
        facts.insert(format!("first_offset{suffix}"), json!(offset(self.first)));
        facts.insert(format!("last_offset{suffix}"), json!(offset(self.last)));
        facts.insert(format!("body_bytes{suffix}"), json!(self.bytes));
    }

    fn by_stream(&self) -> Value {
        let all = self.streams.iter().map(|(name, (consumed, first, last))| {
            let one = json!({"consumed": consumed, "first_offset": first, "last_offset": last});
            (name.clone(), one)
        });
        Value::Object(all.collect())
    }
}

/// Lets the recorder do something and waits until it is done.
fn ask(what: &str) {
    println!("{what}");
    let _ = std::io::stdin().read(&mut [0u8; 1]);
}

async fn environment() -> Anything<Environment> {
    Ok(Environment::builder()
        .host("broker")
        .port(5552)
        .build()
        .await?)
}

async fn create(environment: &Environment, stream: &str) -> Anything<()> {
    let creator = environment
        .stream_creator()
        .max_length(ByteCapacity::MB(50));
    Ok(creator.create(stream).await?)
}

fn text(n: u64) -> Message {
    Message::builder().body(format!("message {n}")).build()
}

async fn texts(producer: &Producer<NoDedup>, from: u64, to: u64) -> Anything<u64> {
    let all = (from..to).map(text).collect();
    let said = producer.batch_send_with_confirm(all).await?;
    Ok(said.iter().filter(|one| one.confirmed()).count() as u64)
}

/// Takes messages until there were as many as wanted, or none for two seconds.
async fn take<S, E>(consumer: &mut S, count: &mut Count, wanted: u64)
where
    S: Stream<Item = Result<Delivery, E>> + Unpin,
{
    while count.consumed < wanted {
        match timeout(Duration::from_secs(2), consumer.next()).await {
            Ok(Some(Ok(delivery))) => count.add(&delivery),
            _ => break,
        }
    }
}

async fn first(environment: &Environment, stream: &str) -> Anything<Consumer> {
    let builder = environment.consumer().offset(OffsetSpecification::First);
    Ok(builder.build(stream).await?)
}

async fn publish_and_consume(stream: &str, facts: &mut Facts) -> Anything<()> {
    let environment = environment().await?;
    let creator = environment
        .stream_creator()
        .max_length(ByteCapacity::MB(50))
        .max_age(Duration::from_secs(21600));
    creator.create(stream).await?;
    let producer = environment.producer().build(stream).await?;
    let mut confirmed = 0;
    for n in 0..10u64 {
        let message = Message::builder()
            .properties()
            .message_id(n)
            .subject("order")
            .message_builder()
            .application_properties()
            .insert("region", "emea")
            .insert("attempt", n as i32)
            .message_builder()
            .body(format!("message {n}"))
            .build();
        confirmed += u64::from(producer.send_with_confirm(message).await?.confirmed());
    }
    let mut count = Count::default();
    let mut consumer = first(&environment, stream).await?;
    take(&mut consumer, &mut count, 10).await;
    confirmed += texts(&producer, 10, 15).await?;
    take(&mut consumer, &mut count, 15).await;
    consumer.handle().close().await?;
    producer.close().await?;
    ask("count");
    environment.delete_stream(stream).await?;
    facts.insert("published".into(), json!(15));
    facts.insert("confirmed".into(), json!(confirmed));
    count.tell(facts, "");
    Ok(())
}

async fn named(stream: &str, facts: &mut Facts) -> Anything<()> {
    let environment = environment().await?;
    create(&environment, stream).await?;
    let mut confirmed = 0;
    for (from, to) in [(1, 10), (6, 15)] {
        let mut producer = environment.producer().name("billing").build(stream).await?;
        for n in from..=to {
            let message = Message::builder()
                .publishing_id(n)
                .body(format!("message {n}"))
                .build();
            confirmed += u64::from(producer.send_with_confirm(message).await?.confirmed());
        }
        producer.close().await?;
    }
    let mut count = Count::default();
    let mut consumer = first(&environment, stream).await?;
    take(&mut consumer, &mut count, 16).await;
    consumer.handle().close().await?;
    facts.insert("published".into(), json!(20));
    facts.insert("confirmed".into(), json!(confirmed));
    count.tell(facts, "");
    Ok(())
}

fn region(message: &Message) -> String {
    let properties = message.application_properties();
    match properties.and_then(|all| all.get("region")) {
        Some(SimpleValue::String(region)) => region.clone(),
        _ => String::new(),
    }
}

fn identity(message: &Message) -> String {
    let properties = message.application_properties();
    match properties.and_then(|all| all.get("id")) {
        Some(SimpleValue::String(id)) => id.clone(),
        _ => String::new(),
    }
}

fn order(n: usize, region: &str) -> Message {
    Message::builder()
        .application_properties()
        .insert("region", region)
        .insert("id", format!("order-{n}"))
        .message_builder()
        .body(format!("order {n}"))
        .build()
}

async fn filters(stream: &str, facts: &mut Facts) -> Anything<()> {
    let environment = environment().await?;
    create(&environment, stream).await?;
    let builder = environment.producer().filter_value_extractor(region);
    let producer = builder.build(stream).await?;
    let mut confirmed = 0;
    for place in ["emea", "amer", "apac"] {
        let all = (0..6).map(|n| order(n, place)).collect();
        let said = producer.batch_send_with_confirm(all).await?;
        confirmed += said.iter().filter(|one| one.confirmed()).count();
    }
    let wanted = FilterConfiguration::new(vec!["emea".into()], false)
        .post_filter(|message| region(message) == "emea");
    let builder = environment.consumer().offset(OffsetSpecification::First);
    let mut consumer = builder.filter_input(Some(wanted)).build(stream).await?;
    let mut count = Count::default();
    take(&mut consumer, &mut count, 7).await;
    consumer.handle().close().await?;
    producer.close().await?;
    facts.insert("published".into(), json!(18));
    facts.insert("confirmed".into(), json!(confirmed));
    count.tell(facts, "");
    Ok(())
}

async fn alone(environment: &Environment, stream: &str) -> Anything<Consumer> {
    let builder = environment
        .consumer()
        .name("group")
        .enable_single_active_consumer(true)
        .consumer_update(|_active, context| async move {
            let stored = context
                .client()
                .query_offset(context.name(), &context.stream())
                .await;
            stored.map_or(OffsetSpecification::First, |offset| {
                OffsetSpecification::Offset(offset + 1)
            })
        });
    Ok(builder.build(stream).await?)
}

async fn single_active(stream: &str, facts: &mut Facts) -> Anything<()> {
    let environment = environment().await?;
    create(&environment, stream).await?;
    let producer = environment.producer().build(stream).await?;
    let mut confirmed = texts(&producer, 0, 10).await?;
    let (mut count, mut later) = (Count::default(), Count::default());
    let mut one = alone(&environment, stream).await?;
    take(&mut one, &mut count, 10).await;
    one.store_offset(4).await?;
    let mut two = alone(&environment, stream).await?;
    sleep(Duration::from_millis(500)).await;
    one.handle().close().await?;
    take(&mut two, &mut later, 5).await;
    confirmed += texts(&producer, 10, 15).await?;
    take(&mut two, &mut later, 10).await;
    two.handle().close().await?;
    producer.close().await?;
    facts.insert("published".into(), json!(15));
    facts.insert("confirmed".into(), json!(confirmed));
    count.tell(facts, "");
    later.tell(facts, "_later");
    Ok(())
}

async fn super_stream(stream: &str, facts: &mut Facts) -> Anything<()> {
    let environment = environment().await?;
    let regions = ["emea", "amer", "apac"];
    let creator = environment
        .stream_creator()
        .max_length(ByteCapacity::MB(50));
    creator.create_super_stream(stream, 3, None).await?;
    let hash = HashRoutingMurmurStrategy {
        routing_extractor: &identity,
    };
    let routing = RoutingStrategy::HashRoutingStrategy(hash);
    let mut producer = environment
        .super_stream_producer(routing)
        .build(stream)
        .await?;
    let confirmed = Arc::new(AtomicU64::new(0));
    for n in 0..20 {
        let counter = confirmed.clone();
        let told = move |said: Result<rabbitmq_stream_client::ConfirmationStatus, _>| {
            let one = said.is_ok_and(|status| status.confirmed());
            counter.fetch_add(u64::from(one), Ordering::SeqCst);
            async {}
        };
        producer.send(order(n, regions[n % 3]), told).await?;
    }
    sleep(Duration::from_secs(1)).await;
    let builder = environment
        .super_stream_consumer()
        .offset(OffsetSpecification::First);
    let mut consumer = builder
        .client_provided_name("orders-reader")
        .build(stream)
        .await?;
    let mut count = Count::default();
    take(&mut consumer, &mut count, 20).await;
    facts.insert("published".into(), json!(20));
    facts.insert("confirmed".into(), json!(confirmed.load(Ordering::SeqCst)));
    facts.insert("consumed".into(), json!(count.consumed));
    facts.insert("by_stream".into(), count.by_stream());
    consumer.handle().close().await?;
    producer.close().await?;
    ask("count");
    environment.delete_super_stream(stream).await?;
    Ok(())
}

async fn tracking(stream: &str, facts: &mut Facts) -> Anything<()> {
    let environment = environment().await?;
    create(&environment, stream).await?;
    let producer = environment.producer().build(stream).await?;
    let confirmed = texts(&producer, 0, 20).await?;
    let (mut count, mut again) = (Count::default(), Count::default());
    let builder = environment
        .consumer()
        .name("by-hand")
        .offset(OffsetSpecification::First);
    let mut consumer = builder.build(stream).await?;
    take(&mut consumer, &mut count, 20).await;
    consumer.store_offset(7).await?;
    sleep(Duration::from_millis(300)).await;
    let stored = consumer.query_offset().await?;
    consumer.handle().close().await?;
    let place = OffsetSpecification::Offset(stored + 1);
    let mut consumer = environment.consumer().offset(place).build(stream).await?;
    take(&mut consumer, &mut again, 12).await;
    consumer.handle().close().await?;
    producer.close().await?;
    facts.insert("published".into(), json!(20));
    facts.insert("confirmed".into(), json!(confirmed));
    facts.insert("stored".into(), json!(stored));
    count.tell(facts, "");
    again.tell(facts, "_again");
    Ok(())
}

async fn idle(stream: &str) -> Anything<()> {
    let builder = Environment::builder()
        .host("broker")
        .port(5552)
        .heartbeat(2);
    let environment = builder.build().await?;
    create(&environment, stream).await?;
    let producer = environment.producer().build(stream).await?;
    sleep(Duration::from_secs(7)).await;
    producer.close().await?;
    Ok(())
}

async fn properties(stream: &str, facts: &mut Facts) -> Anything<()> {
    let environment = environment().await?;
    create(&environment, stream).await?;
    let producer = environment.producer().build(stream).await?;
    let all = Message::builder()
        .properties()
        .message_id("order-1".to_string())
        .user_id("guest")
        .to("orders")
        .subject("größe")
        .reply_to("answers")
        .correlation_id(1u64 << 40)
        .content_type("text/plain")
        .content_encoding("identity")
        .group_id("group")
        .group_sequence(7)
        .reply_to_group_id("other")
        .message_builder()
        .message_annotations()
        .insert("x-opt-shelf", "top")
        .insert("x-opt-hop", 3i32)
        .message_builder()
        .application_properties()
        .insert("text", "größe")
        .insert("yes", true)
        .insert("byte", -1i8)
        .insert("short", i16::MIN)
        .insert("int", i32::MIN)
        .insert("long", i64::MAX)
        .insert("ubyte", 255u8)
        .insert("ushort", 65535u16)
        .insert("uint", u32::MAX)
        .insert("ulong", u64::MAX)
        .message_builder()
        .body("every property")
        .build();
    let bare = Message::builder()
        .properties()
        .subject("no body")
        .message_builder()
        .build();
    let mut confirmed = 0;
    for message in [all, bare, Message::builder().body("").build()] {
        confirmed += u64::from(producer.send_with_confirm(message).await?.confirmed());
    }
    let mut count = Count::default();
    let mut consumer = first(&environment, stream).await?;
    take(&mut consumer, &mut count, 3).await;
    consumer.handle().close().await?;
    producer.close().await?;
    facts.insert("published".into(), json!(3));
    facts.insert("confirmed".into(), json!(confirmed));
    count.tell(facts, "");
    Ok(())
}

async fn too_large(stream: &str, facts: &mut Facts) -> Anything<()> {
    let environment = environment().await?;
    create(&environment, stream).await?;
    let producer = environment.producer().build(stream).await?;
    let confirmed = texts(&producer, 0, 3).await?;
    let large = Message::builder().body(vec![b'x'; 1_100_000]).build();
    let said = timeout(Duration::from_secs(4), producer.send_with_confirm(large)).await;
    let said = match said {
        Ok(Ok(status)) => format!("{:?}", status.status()),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "no answer in four seconds".into(),
    };
    facts.insert("published".into(), json!(4));
    facts.insert("confirmed".into(), json!(confirmed));
    facts.insert("error".into(), json!(said));
    Ok(())
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let stream = arguments[2].as_str();
    let mut facts = Facts::new();
    let done = match arguments[1].as_str() {
        "publish_and_consume" => publish_and_consume(stream, &mut facts).await,
        "named" => named(stream, &mut facts).await,
        "filters" => filters(stream, &mut facts).await,
        "single_active" => single_active(stream, &mut facts).await,
        "super_stream" => super_stream(stream, &mut facts).await,
        "tracking" => tracking(stream, &mut facts).await,
        "idle" => idle(stream).await,
        "properties" => properties(stream, &mut facts).await,
        "too_large" => too_large(stream, &mut facts).await,
        play => Err(format!("no play {play}").into()),
    };
    if let Err(error) = done {
        facts.insert("error".into(), json!(error.to_string()));
    }
    println!("{}", Value::Object(facts));
}
