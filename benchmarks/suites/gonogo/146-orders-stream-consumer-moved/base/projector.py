from totals import rebuild


def handler(event, _context):
    rebuild()
