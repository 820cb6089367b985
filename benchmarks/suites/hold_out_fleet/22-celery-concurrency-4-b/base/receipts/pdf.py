from jinja2 import Template
from weasyprint import HTML

PAGE = Template("<h1>{{ shop }}</h1><p>{{ total }}</p>")


def to_pdf(sale: dict) -> bytes:
    return HTML(string=PAGE.render(**sale)).write_pdf()
