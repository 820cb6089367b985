"""The private keys of Apps."""

from functools import cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa


@cache
def private_key() -> str:
    """One RSA key a process, PEM: making one takes a tenth of a second."""
    return pem(rsa.generate_private_key(public_exponent=65537, key_size=2048))


def pem(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, passphrase: bytes | None = None) -> str:
    """As GitHub gives it out, or behind a passphrase."""
    guard = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, guard).decode()


@cache
def rsa_key(pem: str) -> rsa.RSAPrivateKey:
    """Reading a key checks it, which takes longer than signing."""
    key = serialization.load_pem_private_key(pem.encode(), None)
    assert isinstance(key, rsa.RSAPrivateKey)
    return key
