from .app import app
from .mail import send
from .pdf import to_pdf


@app.task(max_retries=3)
def render_receipt(sale: dict) -> None:
    send(sale["email"], to_pdf(sale))
