from . import app


@app.task
def confirm(booking_id: int) -> int:
    return booking_id
