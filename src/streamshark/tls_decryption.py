"""Decrypt the TLS connections of a session whose keys are in a key log or in the captures.

Connects tshark, which decrypts records (`capture.tshark`), with the TLS connections (`flows.tls`).
Without keys everything passes unchanged, and no program is started.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from streamshark.capture import Capture, CaptureError
from streamshark.capture.tls_records import CLOSED, TLS_KEY_LOG, Opened, TlsRecord
from streamshark.flows import FlowEvent, FlowTracker, Gap, Segment, TlsFlows

if TYPE_CHECKING:
    from streamshark.capture.tshark import TsharkTls

TLS_PREFERENCES = ("tls.", "uat:rsa_keys:", "uat:ssl_keys:")
"""Beginnings of the names of tshark's preferences about TLS."""
Delivered = Segment | Gap | FlowEvent


class Decryption:
    """The TLS decryption of one session, between its flow tracker and its frame readers.

    Raises:
        CaptureError: A key log is given, but cannot be read, or there is no tshark to use it.
    """

    def __init__(
        self,
        captures: list[Capture],
        tracker: FlowTracker,
        keylog: str | None,
        preferences: Sequence[str] = (),
    ) -> None:
        self.captures = captures
        self.tracker = tracker
        self._preferences = [each for each in preferences if each.startswith(TLS_PREFERENCES)]
        self._given = 0
        """Number of the captures' secrets that have been read."""
        self._tshark: TsharkTls | None = None
        self._missing = ""
        """Why tshark cannot be used although there are keys; empty if it can."""
        self._tls: TlsFlows | None = None
        if keylog is not None or self._preferences:
            self._start(keylog)

    def follow(self, tracker: FlowTracker) -> None:
        """Decrypt the flows of another tracker from now on."""
        self.tracker = tracker

    def feed(self, delivered: list[Delivered]) -> list[Delivered]:
        """Return the tracker's records, with TLS payload replaced by its plaintext."""
        secrets = [each for one in self.captures for each in one.secrets]
        for each in secrets[self._given :]:
            if each.type == TLS_KEY_LOG:
                self._take(each.data)
        self._given = len(secrets)
        return self._tls.feed(delivered) if self._tls is not None else delivered

    def finish(self, delivered: list[Delivered]) -> list[Delivered]:
        """Process the last records as `feed` does, and stop tshark."""
        if self._tls is None:
            return delivered
        out = self._tls.feed(delivered) + self._tls.finish()
        self.close()
        return out

    def finish_one(self, number: int, delivered: list[Delivered]) -> list[Delivered]:
        """Process the last records of one connection as `feed` does."""
        if self._tls is None:
            return delivered
        return self._tls.feed(delivered) + self._tls.finish_one(number)

    def close(self) -> None:
        """Stop tshark."""
        if self._tshark is not None:
            self._tshark.close()

    @property
    def waiting_since(self) -> tuple[int, int, int] | None:
        """Time (ns), file and number of the earliest packet whose payload is delayed."""
        waiting = [self.tracker.waiting_since]
        if self._tls is not None:
            waiting.append(self._tls.waiting_since)
        return min((each for each in waiting if each is not None), default=None)

    @property
    def notes(self) -> list[str]:
        """What could not be decrypted, and why: at most one sentence."""
        if self._tls is None or not self._tls.unopened:
            return []
        flows = [self.tracker.flows[number] for number in self._tls.unopened]
        first = " and ".join(flows[0].addresses)
        more = f" (and {len(flows) - 1} more)" if len(flows) > 1 else ""
        failure = self._tshark.failure if self._tshark is not None else self._missing
        reason = failure or "no matching secret in the key log"
        return [f"cannot decrypt TLS between {first}{more}: {reason}"]

    def _start(self, keylog: str | None) -> None:
        from streamshark.capture.tshark import TsharkTls  # noqa: PLC0415 - few captures need it

        self._tls = TlsFlows(self.tracker.flows, self._opened)
        self._tshark = TsharkTls(keylog, self._preferences)

    def _take(self, secrets: bytes) -> None:
        """Add the secrets of a capture; without tshark, remember why they cannot be used."""
        try:
            if self._tls is None:
                self._start(None)
        except CaptureError as error:
            self._missing = str(error)
        if self._tshark is not None:
            self._tshark.add_secrets(secrets)

    def _opened(self, records: Sequence[TlsRecord]) -> Sequence[Opened]:
        if self._tshark is None:
            return [CLOSED] * len(records)
        return self._tshark.decrypt(records)
