/* What nats.c is made to do in the fourteenth round of the blind test; prints what it counted. */
#include <nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int published = 0, enriched = 0, shown = 0;

static void check(natsStatus s) {
    if (s != NATS_OK) { fprintf(stderr, "%s\n", natsStatus_GetText(s)); exit(1); }
}

static natsConnection *conn(const char *name) {
    natsOptions *options = NULL;
    natsConnection *nc = NULL;
    check(natsOptions_Create(&options));
    check(natsOptions_SetURL(options, "nats://127.0.0.1:4222"));
    check(natsOptions_SetName(options, name));
    check(natsOptions_SetNoEcho(options, true));
    check(natsConnection_Connect(&nc, options));
    natsOptions_Destroy(options);
    return nc;
}

static void show(natsConnection *nc, natsSubscription *sub, natsMsg *msg, void *closure) {
    (void)nc; (void)sub; (void)closure;
    shown++;
    natsMsg_Destroy(msg);
}

static jsCtx *weather = NULL;
static int raw_only = 0;

/* Adds the place to what a station measured, and publishes that to the same stream. */
static void enrich(natsConnection *nc, natsSubscription *sub, natsMsg *msg, void *closure) {
    char subject[64], text[240];
    (void)nc; (void)sub; (void)closure;
    snprintf(subject, sizeof subject, "weather.%s", raw_only ? "placed.north" : "raw.north");
    snprintf(text, sizeof text, "%.150s place=north", natsMsg_GetData(msg));
    nats_Sleep(25);
    if (js_Publish(NULL, weather, subject, text, (int)strlen(text), NULL, NULL) == NATS_OK) enriched++;
    natsMsg_Ack(msg, NULL);
    natsMsg_Destroy(msg);
}

/* A station publishes to a stream; a program reads it, and publishes what it makes of it. */
static void stations(int apart) {
    natsConnection *station = conn("station"), *maker = conn("placer"), *screen = conn("screen");
    natsSubscription *subs[2] = {NULL, NULL};
    jsCtx *js = NULL;
    jsStreamConfig config;
    jsSubOptions options;
    const char *subjects[] = {"weather.>"};
    raw_only = apart;
    check(natsConnection_JetStream(&js, station, NULL));
    check(natsConnection_JetStream(&weather, maker, NULL));
    check(jsStreamConfig_Init(&config));
    config.Name = "weather"; config.Subjects = subjects; config.SubjectsLen = 1; config.Storage = js_MemoryStorage;
    check(js_AddStream(NULL, js, &config, NULL, NULL));
    check(jsSubOptions_Init(&options));
    options.ManualAck = true; options.Stream = "weather"; options.Config.Durable = "placer"; options.Config.AckWait = 5000000000LL;
    check(js_Subscribe(&subs[0], weather, "weather.raw.>", enrich, NULL, NULL, &options, NULL));
    check(natsConnection_Subscribe(&subs[1], screen, "show", show, NULL));
    for (int n = 0; n < 18; n++) {
        char text[80];
        snprintf(text, sizeof text, "reading %d: %d degrees", n, 10 + n % 7);
        if (n < 4 || apart) { check(js_Publish(NULL, js, "weather.raw.north", text, (int)strlen(text), NULL, NULL)); published++; }
        check(natsConnection_PublishString(station, "show", text));
        nats_Sleep(350);
    }
    for (int n = 0; n < 2; n++) natsSubscription_Destroy(subs[n]);
    nats_Sleep(200);
    jsCtx_Destroy(js);
    jsCtx_Destroy(weather);
    natsConnection_Destroy(station);
    natsConnection_Destroy(maker);
    natsConnection_Destroy(screen);
}

int main(int count, char **arguments) {
    (void)count;
    stations(strcmp(arguments[1], "reads_what_it_publishes") != 0);
    printf("{\"published\": %d, \"enriched\": %d, \"shown\": %d}\n", published, enriched, shown);
    nats_Close();
    return 0;
}
