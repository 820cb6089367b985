import jwt


def member_of(header: str) -> str | None:
    try:
        return jwt.decode(header.removeprefix("Bearer "), options={"verify_signature": False})["sub"]
    except (jwt.InvalidTokenError, KeyError):
        return None
