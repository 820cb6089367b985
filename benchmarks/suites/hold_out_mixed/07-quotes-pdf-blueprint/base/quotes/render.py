from weasyprint import HTML


def pdf(quote):
    return HTML(string=f"<h1>Quote {quote['id']}</h1><p>{quote['total']}</p>").write_pdf()
