_rows = {}


def create(body):
    body["id"] = len(_rows) + 1
    _rows[body["id"]] = body
    return body


def get(quote_id):
    return _rows[quote_id]
