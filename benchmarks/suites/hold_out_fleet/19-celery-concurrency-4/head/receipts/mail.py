import smtplib
from email.message import EmailMessage


def send(to: str, pdf: bytes) -> None:
    msg = EmailMessage()
    msg["To"], msg["From"], msg["Subject"] = to, "receipts@kassa.example", "Your receipt"
    msg.add_attachment(pdf, maintype="application", subtype="pdf", filename="receipt.pdf")
    with smtplib.SMTP("mail.internal") as smtp:
        smtp.send_message(msg)
