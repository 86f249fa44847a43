/* What nats.c is made to do in the fifteenth round of the blind test; prints what it counted. */
#include <nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(natsStatus s) {
    if (s != NATS_OK) { fprintf(stderr, "%s\n", natsStatus_GetText(s)); exit(1); }
}

static natsConnection *conn(const char *name, const char *url) {
    natsOptions *options = NULL;
    natsConnection *nc = NULL;
    check(natsOptions_Create(&options));
    check(natsOptions_SetURL(options, url));
    check(natsOptions_SetName(options, name));
    check(natsConnection_Connect(&nc, options));
    natsOptions_Destroy(options);
    return nc;
}

/* An archive fetches records, of which some come each second; it waits for them as long as `patience` (ms). */
static void records(int patience, int batch) {
    natsConnection *line = conn("line", "nats://127.0.0.1:4222"), *archive = conn("archive", "nats://127.0.0.1:4223");
    natsSubscription *sub = NULL;
    jsCtx *js = NULL, *own = NULL;
    jsStreamConfig config;
    jsSubOptions options;
    const char *subjects[] = {"records.>"};
    int published = 0, archived = 0, timed_out = 0, at_once = 0;
    check(natsConnection_JetStream(&js, line, NULL));
    check(natsConnection_JetStream(&own, archive, NULL));
    check(jsStreamConfig_Init(&config));
    config.Name = "records"; config.Subjects = subjects; config.SubjectsLen = 1; config.Storage = js_MemoryStorage;
    check(js_AddStream(NULL, js, &config, NULL, NULL));
    check(jsSubOptions_Init(&options));
    options.Stream = "records"; options.Config.AckWait = 20000000000LL;
    check(js_PullSubscribe(&sub, own, "records.>", "archive", NULL, &options, NULL));
    int64_t over = nats_Now() + 12000, next = nats_Now() + 700;
    while (nats_Now() < over) {
        natsMsgList list;
        int64_t begun = nats_Now();
        if (begun > next) {
            char text[60];
            snprintf(text, sizeof text, "record %d of line 4", published++);
            check(js_Publish(NULL, js, "records.line4", text, (int)strlen(text), NULL, NULL));
            next += 1900;
        }
        natsStatus s = natsSubscription_Fetch(&list, sub, batch, patience, NULL);
        if (s == NATS_TIMEOUT) {
            timed_out++;
            if (nats_Now() - begun < patience / 2) at_once++;
        } else if (s == NATS_OK) {
            for (int n = 0; n < list.Count; n++) { natsMsg_Ack(list.Msgs[n], NULL); archived++; }
            natsMsgList_Destroy(&list);
        }
    }
    natsSubscription_Destroy(sub);
    nats_Sleep(200);
    jsCtx_Destroy(js);
    jsCtx_Destroy(own);
    natsConnection_Destroy(line);
    natsConnection_Destroy(archive);
    printf("{\"published\": %d, \"archived\": %d, \"timed_out\": %d, \"at_once\": %d}\n", published, archived, timed_out, at_once);
}

int main(int count, char **arguments) {
    (void)count; (void)arguments;
    records(300, 5);
    nats_Close();
    return 0;
}
