/* What nats.c is made to do in the thirteenth round of the blind test; prints what it counted. */
#include <nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int published = 0, mailed = 0, asked = 0;

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

static void mail(natsConnection *nc, natsSubscription *sub, natsMsg *msg, void *closure) {
    (void)sub; (void)closure;
    check(natsConnection_PublishString(nc, natsMsg_GetReply(msg), "+ACK"));
    mailed++;
    natsMsg_Destroy(msg);
}

static void stock(natsConnection *nc, natsSubscription *sub, natsMsg *msg, void *closure) {
    (void)sub; (void)closure;
    check(natsConnection_PublishString(nc, natsMsg_GetReply(msg), "12 left"));
    natsMsg_Destroy(msg);
}

/* Letters of a stream are pushed to a group of senders, who subscribe as members of the group or one by one. */
static void letters(int grouped) {
    natsConnection *shop = conn("shop"), *senders[2] = {conn("sender-0"), conn("sender-1")};
    natsSubscription *subs[3] = {NULL, NULL, NULL};
    jsCtx *js = NULL;
    jsStreamConfig config;
    jsConsumerConfig consumer;
    jsConsumerInfo *info = NULL;
    const char *subjects[] = {"letters.*"};
    check(natsConnection_JetStream(&js, shop, NULL));
    check(jsStreamConfig_Init(&config));
    config.Name = "letters"; config.Subjects = subjects; config.SubjectsLen = 1; config.Storage = js_MemoryStorage;
    check(js_AddStream(NULL, js, &config, NULL, NULL));
    check(jsConsumerConfig_Init(&consumer));
    consumer.Durable = "post"; consumer.DeliverSubject = "post.out"; consumer.DeliverGroup = "senders";
    consumer.AckPolicy = js_AckExplicit; consumer.AckWait = 4000000000LL;
    check(js_AddConsumer(NULL, js, "letters", &consumer, NULL, NULL));
    check(natsConnection_Subscribe(&subs[2], senders[0], "stock", stock, NULL));
    for (int n = 0; n < 2; n++) {
        check(grouped ? natsConnection_QueueSubscribe(&subs[n], senders[n], "post.out", "senders", mail, NULL)
                      : natsConnection_Subscribe(&subs[n], senders[n], "post.out", mail, NULL));
        check(natsConnection_Flush(senders[n]));
    }
    for (int n = 0; n < 52; n++) {
        char subject[32], text[64];
        snprintf(subject, sizeof subject, "letters.%s", n % 3 ? "bill" : "offer");
        snprintf(text, sizeof text, "letter %d to customer %d", n, n % 17);
        check(js_Publish(NULL, js, subject, text, (int)strlen(text), NULL, NULL));
        published++;
        if (n % 7 == 0) {
            natsMsg *answer = NULL;
            check(natsConnection_RequestString(&answer, shop, "stock", "paper", 1000));
            natsMsg_Destroy(answer);
            asked++;
        }
        if (n % 20 == 19) { check(js_GetConsumerInfo(&info, js, "letters", "post", NULL, NULL)); jsConsumerInfo_Destroy(info); }
        nats_Sleep(150);
    }
    nats_Sleep(500);
    for (int n = 0; n < 3; n++) natsSubscription_Destroy(subs[n]);
    jsCtx_Destroy(js);
    natsConnection_Destroy(shop);
    for (int n = 0; n < 2; n++) natsConnection_Destroy(senders[n]);
}

int main(int count, char **arguments) {
    (void)count;
    letters(strcmp(arguments[1], "group_left_out") != 0);
    printf("{\"published\": %d, \"mailed\": %d, \"asked\": %d}\n", published, mailed, asked);
    nats_Close();
    return 0;
}
