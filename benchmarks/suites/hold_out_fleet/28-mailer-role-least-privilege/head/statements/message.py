from email.message import EmailMessage


def build(to: str, pdf: bytes) -> bytes:
    msg = EmailMessage()
    msg["To"], msg["From"], msg["Subject"] = to, "billing@duesly.example", "Your statement"
    msg.add_attachment(pdf, maintype="application", subtype="pdf", filename="statement.pdf")
    return msg.as_bytes()
