/* What nats.c is made to do in the twelfth round of the blind test; prints what it counted. */
#include <nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int published = 0, handled = 0, failed = 0, left = 0;

static void check(natsStatus s) {
    if (s != NATS_OK) { fprintf(stderr, "%s\n", natsStatus_GetText(s)); exit(1); }
}

static natsConnection *conn(const char *name) {
    natsOptions *options = NULL;
    natsConnection *nc = NULL;
    check(natsOptions_Create(&options));
    check(natsOptions_SetURL(options, "nats://127.0.0.1:4222"));
    check(natsOptions_SetName(options, name));
    check(natsConnection_Connect(&nc, options));
    natsOptions_Destroy(options);
    return nc;
}

/* Repairs of a work queue; the bench fails at each fifth repair that it gets for the first time, and does not
 * acknowledge it. Its consumer delivers a message once, or up to five times. */
static void repairs(int times) {
    natsConnection *counter = conn("counter"), *bench = conn("bench");
    natsSubscription *sub = NULL;
    jsCtx *js = NULL, *own = NULL;
    jsStreamConfig config;
    jsSubOptions options;
    jsStreamInfo *info = NULL;
    const char *subjects[] = {"repairs.>"};
    check(natsConnection_JetStream(&js, counter, NULL));
    check(natsConnection_JetStream(&own, bench, NULL));
    check(jsStreamConfig_Init(&config));
    config.Name = "repairs"; config.Subjects = subjects; config.SubjectsLen = 1;
    config.Storage = js_MemoryStorage; config.Retention = js_WorkQueuePolicy;
    check(js_AddStream(NULL, js, &config, NULL, NULL));
    check(jsSubOptions_Init(&options));
    options.Config.AckWait = 1000000000LL;
    options.Config.MaxDeliver = times;
    check(js_PullSubscribe(&sub, own, "repairs.>", "bench", NULL, &options, NULL));
    int64_t end = nats_Now() + 9500;
    for (int n = 0; nats_Now() < end; n++) {
        if (published < 45) {
            char subject[32], text[64];
            snprintf(subject, sizeof subject, "repairs.bike.%d", n % 3);
            snprintf(text, sizeof text, "bike %d of customer %d", n, n % 11);
            check(js_Publish(NULL, js, subject, text, (int)strlen(text), NULL, NULL));
            published++;
        }
        natsMsgList list = {0};
        natsStatus s = natsSubscription_Fetch(&list, sub, 4, 160, NULL);
        if (s != NATS_OK && s != NATS_TIMEOUT) check(s);
        for (int each = 0; each < list.Count; each++) {
            jsMsgMetaData *meta = NULL;
            check(natsMsg_GetMetaData(&meta, list.Msgs[each]));
            if (meta->Sequence.Stream % 5 == 3 && meta->NumDelivered == 1) failed++;
            else { check(natsMsg_Ack(list.Msgs[each], NULL)); handled++; }
            jsMsgMetaData_Destroy(meta);
        }
        natsMsgList_Destroy(&list);
        if (n % 15 == 14) {
            check(js_GetStreamInfo(&info, js, "repairs", NULL, NULL));
            left = (int)info->State.Msgs;
            jsStreamInfo_Destroy(info);
        }
    }
    natsSubscription_Destroy(sub);
    jsCtx_Destroy(own);
    jsCtx_Destroy(js);
    natsConnection_Destroy(bench);
    natsConnection_Destroy(counter);
}

int main(int count, char **arguments) {
    (void)count;
    repairs(strcmp(arguments[1], "delivered_once_at_most") ? 5 : 1);
    printf("{\"published\": %d, \"handled\": %d, \"failed\": %d, \"left\": %d}\n", published, handled, failed, left);
    nats_Close();
    return 0;
}
