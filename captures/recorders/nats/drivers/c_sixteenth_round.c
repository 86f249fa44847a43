/* What nats.c is made to do in the sixteenth round of the blind test; prints what it counted. */
#include <nats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shown = 0;

static void check(natsStatus s) {
    if (s != NATS_OK) { fprintf(stderr, "%s\n", natsStatus_GetText(s)); exit(1); }
}

static natsConnection *conn(const char *name, const char **urls, int count, int patience) {
    natsOptions *options = NULL;
    natsConnection *nc = NULL;
    check(natsOptions_Create(&options));
    check(natsOptions_SetServers(options, urls, count));
    check(natsOptions_SetNoRandomize(options, true));
    check(natsOptions_SetTimeout(options, patience));
    check(natsOptions_SetName(options, name));
    check(natsConnection_Connect(&nc, options));
    natsOptions_Destroy(options);
    return nc;
}

static void shows(natsConnection *nc, natsSubscription *sub, natsMsg *m, void *closure) {
    (void)nc; (void)sub; (void)closure;
    shown++;
    natsMsg_Destroy(m);
}

/* A gateway knows two servers; the first one does not answer at all. */
int main(int count, char **arguments) {
    (void)count; (void)arguments;
    const char *both[] = {"nats://127.0.0.2:4222", "nats://127.0.0.1:4222"};
    natsConnection *console = conn("console", both + 1, 1, 2000), *gateway = NULL;
    natsSubscription *sub = NULL;
    int64_t begun;
    int published = 0;
    check(natsConnection_Subscribe(&sub, console, "gateway.>", shows, NULL));
    check(natsConnection_Flush(console));
    begun = nats_Now();
    gateway = conn("gateway", both, 2, 20000);
    int waited = (int)((nats_Now() - begun) / 1000);
    for (; published < 12; published++) {
        char text[60];
        snprintf(text, sizeof text, "meter %d: %d kWh", published % 4, 700 + published);
        check(natsConnection_Publish(gateway, "gateway.meters", text, (int)strlen(text)));
        nats_Sleep(250);
    }
    natsConnection_Close(gateway);
    nats_Sleep(200);
    natsConnection_Close(console);
    printf("{\"seconds_waited\": %d, \"published\": %d, \"shown\": %d}\n", waited, published, shown);
    return 0;
}
