import os


def flag(name: str, default: bool) -> bool:
    return os.environ.get(name, str(default)).lower() in ("1", "true")


RECOMMENDATIONS_V2 = flag("RECOMMENDATIONS_V2", False)
GIFT_WRAP = flag("GIFT_WRAP", True)
