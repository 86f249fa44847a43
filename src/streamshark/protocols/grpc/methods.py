"""Methods of public services, and how many messages each of their calls has.

Headers do not say whether a call has one message or many each way; the `.proto` of a service does.

Source: `api.proto` of liftbridge-api v1.9.0; `Controller.proto` of pravega v0.13.0; `health.proto`
of grpc-proto.
"""

from typing import Final

SINGLE: Final = "single"
"""One request and one reply."""
REPLIES: Final = "replies"
"""One request and any number of replies."""
STREAMING: Final = "streaming"
"""Any number of messages each way."""

_LIFTBRIDGE: Final = (
    "CreateStream DeleteStream PauseStream SetStreamReadonly FetchMetadata FetchPartitionMetadata "
    "Publish PublishToSubject SetCursor FetchCursor JoinConsumerGroup LeaveConsumerGroup "
    "FetchConsumerGroupAssignments ReportConsumerGroupCoordinator"
)

METHODS: Final[dict[str, str]] = {
    **{f"/proto.API/{each}": SINGLE for each in _LIFTBRIDGE.split()},
    "/proto.API/Subscribe": REPLIES,
    "/proto.API/PublishAsync": STREAMING,
    "/io.pravega.controller.stream.api.grpc.v1.ControllerService/": SINGLE,
    "/grpc.health.v1.Health/Check": SINGLE,
    "/grpc.health.v1.Health/Watch": REPLIES,
}
"""Beginning of a path to the kind of the call."""
