"""The certificate authority of the proxy, made on first use, and certificates for its clients."""

import os
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from streamshark.errors import StreamsharkError

CERTIFICATE: Final = "proxy-ca.pem"
"""Name of the file with the certificate, which clients are to trust."""
KEY: Final = "proxy-ca.key"
"""Name of the file with its key."""
NAME: Final = "Streamshark proxy"
VALID: Final = timedelta(days=3650)
"""How long the authority is valid."""
LEAF_VALID: Final = timedelta(days=90)
"""How long a certificate for clients is valid; each run makes new ones."""
_SKEW: Final = timedelta(days=1)
"""How long before now a certificate is valid, for clocks that differ."""
_LONGEST_NAME: Final = 64
"""Most characters of a common name."""


class Authority:
    """An authority whose certificate and key are in a folder.

    Raises:
        StreamsharkError: Its files cannot be read or written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / CERTIFICATE
        """The file with the certificate."""
        key = folder / KEY
        try:
            if not (self.path.exists() and key.exists()):
                _make(folder)
            self._certificate = x509.load_pem_x509_certificate(self.path.read_bytes())
            loaded = serialization.load_pem_private_key(key.read_bytes(), None)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "malformed"
            raise StreamsharkError(f"{self.path}: the authority cannot be read: {reason}") from None
        if not isinstance(loaded, ec.EllipticCurvePrivateKey):
            raise StreamsharkError(f"{key}: not a key of the proxy")
        self._key = loaded

    def chain(self, names: Iterable[str]) -> bytes:
        """Return a new key, and its certificate for names and addresses, as PEM."""
        names = list(dict.fromkeys(names))
        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(UTC)
        issuer = self._certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier)
        builder = (
            x509.CertificateBuilder()
            .subject_name(_name(names[0]))
            .issuer_name(self._certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _SKEW)
            .not_valid_after(min(now + LEAF_VALID, self._certificate.not_valid_after_utc))
            .add_extension(x509.SubjectAlternativeName(map(_alternative, names)), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer.value),
                critical=False,
            )
        )
        certificate = builder.sign(self._key, hashes.SHA256())
        return _key_pem(key) + certificate.public_bytes(serialization.Encoding.PEM)

    def load(self, context: ssl.SSLContext, names: Iterable[str], folder: Path) -> None:
        """Give a context a new certificate for names; `folder` holds it meanwhile."""
        path = folder / f"leaf-{os.getpid()}.pem"
        path.touch(0o600)
        try:
            path.write_bytes(self.chain(names))
            context.load_cert_chain(path)
        finally:
            path.unlink()


def trust(certificate: Path) -> str:
    """Return how clients trust an authority, by language."""
    return f"""The certificate of the proxy: {certificate}

Java    keytool -importcert -noprompt -alias streamshark -file {certificate} \\
          -keystore trust.p12 -storepass changeit
        java -Djavax.net.ssl.trustStore=trust.p12 -Djavax.net.ssl.trustStorePassword=changeit ...
Go      SSL_CERT_FILE={certificate} ./client
Python  SSL_CERT_FILE={certificate} python client.py
Node    NODE_EXTRA_CA_CERTS={certificate} node client.js
others  in Debian: cp {certificate} /usr/local/share/ca-certificates/streamshark.crt
        update-ca-certificates

Its key is beside it: whoever has the key can pretend to be any server to clients that trust it.
"""


def _make(folder: Path) -> None:
    """Make an authority; its key can be read by its owner alone."""
    folder.mkdir(parents=True, exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    usage = dict.fromkeys(
        (
            *("digital_signature", "content_commitment", "key_encipherment", "key_agreement"),
            *("data_encipherment", "encipher_only", "decipher_only"),
        ),
        False,
    )
    certificate = (
        x509.CertificateBuilder()
        .subject_name(_name(NAME))
        .issuer_name(_name(NAME))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SKEW)
        .not_valid_after(now + VALID)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.KeyUsage(key_cert_sign=True, crl_sign=True, **usage), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    for name, content in (
        (KEY, _key_pem(key)),
        (CERTIFICATE, certificate.public_bytes(serialization.Encoding.PEM)),
    ):
        own = folder / f"{name}.{os.getpid()}"
        own.touch(0o600)
        own.write_bytes(content)
        own.replace(folder / name)


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:_LONGEST_NAME])])


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
