"""AMQP 1.0 messages: the format in which nearly all clients write message bodies.

Document: OASIS Advanced Message Queuing Protocol 1.0 of 29 October 2012, part 1 (types) and part 3,
section 3.2 (message format).
Reference implementation: Apache Qpid proton-j 0.34.1, which the Java client of RabbitMQ Streams
uses; the vectors are written by it.
Versions: 1.0; the format has no version of its own.
Left out on purpose: the protocol AMQP 1.0 (frames, links, SASL), of which this is the payload, and
the extensions of its type system that no document has.
"""

from streamshark.decoding.lazy import function
from streamshark.decoding.payloads import Format

FORMAT = Format(
    id="amqp1",
    title="AMQP 1.0 messages",
    card=__doc__,
    slots=frozenset({"message"}),
    decode=function(__name__, "sections.decode"),
    sure=function(__name__, "sections.sure"),
    leaves=function(__name__, "leaves.leaves"),
    fields=function(__name__, "fields.fields"),
)
