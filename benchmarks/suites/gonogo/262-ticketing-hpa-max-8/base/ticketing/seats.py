import hashlib


def hold(event: str, seats: list[str]) -> dict:
    token = hashlib.scrypt(event.encode(), salt=b"seat", n=2**12, r=8, p=1).hex()
    return {"event": event, "seats": seats, "token": token}
