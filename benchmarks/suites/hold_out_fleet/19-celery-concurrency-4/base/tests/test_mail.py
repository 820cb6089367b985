from email.message import EmailMessage


def test_attachment():
    msg = EmailMessage()
    msg.add_attachment(b"x", maintype="application", subtype="pdf", filename="r.pdf")
    assert msg.is_multipart()
