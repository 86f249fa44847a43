"""Real TLS between two ends in this process: the bytes that each sends, and the key log."""

import ssl
from pathlib import Path

from tests.builders import Conversation

IDENTITY = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsmnicJLAhK6kIUch
Axoe7pBselLNd0AXGEX2yPkXAq2hRANCAASc6IvH7UUqruBMa5/cx2eDgakxLUsM
OdqIukkgNkwf0VV77vw9wuYCfyhLEx4/R9GF6kMjg0LPa08MkOkd/HlI
-----END PRIVATE KEY-----
-----BEGIN CERTIFICATE-----
MIIBeDCCAR+gAwIBAgIUGdzVU1WorIntsLtdkNlqAHOFkqwwCgYIKoZIzj0EAwIw
ETEPMA0GA1UEAwwGYnJva2VyMCAXDTI2MTEyMTEzMTEyNFoYDzIxMjYxMDI4MTMx
MTI0WjARMQ8wDQYDVQQDDAZicm9rZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASc6IvH7UUqruBMa5/cx2eDgakxLUsMOdqIukkgNkwf0VV77vw9wuYCfyhLEx4/
R9GF6kMjg0LPa08MkOkd/HlIo1MwUTAdBgNVHQ4EFgQUIp7RfkdJJ/ux+gtnGA18
3ebc+fMwHwYDVR0jBBgwFoAUIp7RfkdJJ/ux+gtnGA183ebc+fMwDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiB0jqryJjz0zd4NKUW98niiXau3ulI2
LdHFxSdb2Dt+igIgKCv3QCOY0zYJ3N6R5gksuYaKYP7v/buUzivSToBpG/s=
-----END CERTIFICATE-----
"""
"""A throwaway key and its certificate."""

CLIENT, SERVER = 0, 1


class TlsTalk:
    """A connection whose two ends speak TLS; the bytes that they send are in its conversation."""

    def __init__(  # noqa: PLR0913
        self,
        folder: Path,
        version: ssl.TLSVersion,
        conversation: Conversation,
        *,
        alpn: tuple[str, ...] = (),
        ciphers: str = "",
        size: int = 1448,
        identity: str = IDENTITY,
    ) -> None:
        self.keylog = folder / "keys"
        """The key log, appended to."""
        self.conversation = conversation
        self.size = size
        """Bytes of a segment at most."""
        chain = folder / "identity.pem"
        chain.write_text(identity)
        ours = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        ours.check_hostname = False
        ours.verify_mode = ssl.CERT_NONE
        ours.keylog_filename = str(self.keylog)
        theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        theirs.load_cert_chain(chain)
        for each in (ours, theirs):
            each.minimum_version = each.maximum_version = version
            if alpn:
                each.set_alpn_protocols(list(alpn))
            if ciphers:
                each.set_ciphers(ciphers)
        pipes = [(ssl.MemoryBIO(), ssl.MemoryBIO()) for _ in range(2)]
        self.pipes = pipes
        self.ends = [
            ours.wrap_bio(*pipes[0], server_hostname="broker"),
            theirs.wrap_bio(*pipes[1], server_side=True),
        ]

    def handshake(self) -> "TlsTalk":
        """Do the handshake."""
        done = [False, False]
        while not all(done):
            for side in (CLIENT, SERVER):
                try:
                    self.ends[side].do_handshake()
                    done[side] = True
                except ssl.SSLWantReadError:
                    pass
                self._flow(side)
        return self

    def send(self, side: int, data: bytes) -> "TlsTalk":
        """Send bytes from one end to the other."""
        self.ends[side].write(data)
        self._flow(side)
        other = self.ends[1 - side]
        left = len(data)
        while left:
            left -= len(other.read(left))
        self._flow(1 - side)
        return self

    def _flow(self, side: int) -> None:
        data = self.pipes[side][1].read()
        if data:
            self.pipes[1 - side][0].write(data)
            self.conversation.send(side, data, self.size)
