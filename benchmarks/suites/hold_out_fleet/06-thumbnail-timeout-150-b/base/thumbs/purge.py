def handle(event, context):
    return {"purged": 0}
