def load_timeline(user_id):
    return {"user": user_id, "items": []}
