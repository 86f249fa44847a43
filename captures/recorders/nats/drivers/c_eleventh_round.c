/* What nats.c is made to do in the eleventh round of the blind test; prints what it counted. */
#include <nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int handled = 0, asked = 0, answered = 0, lost = 0;

static void check(natsStatus s) {
    if (s != NATS_OK) { fprintf(stderr, "%s\n", natsStatus_GetText(s)); exit(1); }
}

static natsConnection *conn(const char *name, bool asap) {
    natsOptions *options = NULL;
    natsConnection *nc = NULL;
    check(natsOptions_Create(&options));
    check(natsOptions_SetURL(options, "nats://127.0.0.1:4222"));
    check(natsOptions_SetName(options, name));
    check(natsOptions_SetSendAsap(options, asap));
    check(natsConnection_Connect(&nc, options));
    natsOptions_Destroy(options);
    return nc;
}

/* Each measurement has a subject of its own: the display subscribes it, and the sensor is started on another
 * connection, when the server knows the subscription or just after the call. */
static void measurements(bool flushes) {
    natsConnection *display = conn("display", false), *sensor = conn("sensor", true);
    for (int n = 0; n < 30; n++) {
        char subject[64], text[64];
        natsSubscription *sub = NULL;
        natsMsg *msg = NULL;
        snprintf(subject, sizeof subject, "measured.%d.value", n);
        snprintf(text, sizeof text, "%d.%d degrees", 20 + n % 5, n % 10);
        check(natsConnection_SubscribeSync(&sub, display, subject));
        if (flushes) check(natsConnection_Flush(display));
        check(natsConnection_PublishString(sensor, subject, text));
        asked++;
        if (natsSubscription_NextMsg(&msg, sub, 350) == NATS_OK) { answered++; natsMsg_Destroy(msg); } else lost++;
        natsSubscription_Destroy(sub);
        nats_Sleep(60);
    }
    natsConnection_Destroy(sensor);
    natsConnection_Destroy(display);
}

static void on_message(natsConnection *nc, natsSubscription *sub, natsMsg *msg, void *closure) {
    (void)nc; (void)sub; (void)closure;
    handled++;
    check(natsMsg_Ack(msg, NULL));
    natsMsg_Destroy(msg);
}

static void serves(natsConnection *nc, natsSubscription *sub, natsMsg *msg, void *closure) {
    (void)sub; (void)closure;
    check(natsConnection_PublishString(nc, natsMsg_GetReply(msg), "open"));
    natsMsg_Destroy(msg);
}

/* A healthy program: publishes to a stream, one by one and in batches, requests, and two runs of two kinds of consumers. */
static void warehouse(void) {
    natsConnection *nc = conn("warehouse", false), *gate = conn("gate", false);
    natsSubscription *service = NULL;
    jsCtx *js = NULL;
    jsStreamConfig config;
    check(natsConnection_QueueSubscribe(&service, gate, "gate.state", "gates", serves, NULL));
    check(natsConnection_JetStream(&js, nc, NULL));
    check(jsStreamConfig_Init(&config));
    const char *subjects[] = {"boxes.>"};
    config.Name = "boxes"; config.Subjects = subjects; config.SubjectsLen = 1; config.Storage = js_MemoryStorage;
    check(js_AddStream(NULL, js, &config, NULL, NULL));
    for (int run = 0; run < 2; run++) {
        natsConnection *own = conn(run ? "robot-2" : "robot-1", false);
        jsCtx *theirs = NULL;
        natsSubscription *push = NULL, *pull = NULL;
        jsSubOptions options;
        check(natsConnection_JetStream(&theirs, own, NULL));
        check(jsSubOptions_Init(&options));
        options.ManualAck = true;
        check(js_Subscribe(&push, theirs, "boxes.small", on_message, NULL, NULL, &options, NULL));
        check(js_PullSubscribe(&pull, theirs, "boxes.>", "sorter", NULL, NULL, NULL));
        for (int n = 0; n < 40; n++) {
            char text[64];
            snprintf(text, sizeof text, "box %d of pallet %d", n, run);
            if (n % 4) check(js_PublishAsync(js, n % 2 ? "boxes.small" : "boxes.large", text, (int)strlen(text), NULL));
            else check(js_Publish(NULL, js, "boxes.large", text, (int)strlen(text), NULL, NULL));
            if (n % 10 == 0) {
                natsMsg *reply = NULL;
                check(natsConnection_RequestString(&reply, nc, "gate.state", "north", 1000));
                asked++;
                natsMsg_Destroy(reply);
            }
        }
        jsPubOptions wait;
        check(jsPubOptions_Init(&wait));
        wait.MaxWait = 3000;
        check(js_PublishAsyncComplete(js, &wait));
        for (int left = 40; left > 0; ) {
            natsMsgList list = {0};
            natsStatus s = natsSubscription_Fetch(&list, pull, 16, 900, NULL);
            if (s != NATS_OK && s != NATS_TIMEOUT) check(s);
            for (int n = 0; n < list.Count; n++) check(natsMsg_AckSync(list.Msgs[n], NULL, NULL));
            left -= list.Count;
            answered += list.Count;
            natsMsgList_Destroy(&list);
        }
        nats_Sleep(400);
        check(natsSubscription_Unsubscribe(push));
        check(natsSubscription_Unsubscribe(pull));
        natsSubscription_Destroy(push);
        natsSubscription_Destroy(pull);
        jsCtx_Destroy(theirs);
        check(natsConnection_Drain(own));
        nats_Sleep(200);
        natsConnection_Destroy(own);
    }
    natsSubscription_Destroy(service);
    jsCtx_Destroy(js);
    natsConnection_Destroy(gate);
    natsConnection_Destroy(nc);
}

int main(int count, char **arguments) {
    (void)count;
    if (!strcmp(arguments[1], "published_before_it_is_subscribed")) measurements(false);
    else if (!strcmp(arguments[1], "subscription_flushed_first")) measurements(true);
    else warehouse();
    printf("{\"asked\": %d, \"answered\": %d, \"lost\": %d, \"handled\": %d}\n", asked, answered, lost, handled);
    nats_Close();
    return 0;
}
