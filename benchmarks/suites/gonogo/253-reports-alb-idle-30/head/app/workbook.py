import io

from openpyxl import Workbook

from .readings import readings


def build(site: str, start: str, end: str) -> io.BytesIO:
    book = Workbook(write_only=True)
    sheet = book.create_sheet(site)
    for row in readings(site, start, end):
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    out.seek(0)
    return out
