def iso(value):
    return value.isoformat() if value else None
