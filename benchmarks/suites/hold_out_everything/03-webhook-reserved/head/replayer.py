def handler(event, context):
    return {"replayed": len(event.get("ids", []))}
