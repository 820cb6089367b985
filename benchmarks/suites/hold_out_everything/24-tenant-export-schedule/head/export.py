import csv
import io
import os
import urllib.request


def handler(event, context):
    url = f"{os.environ.get('LEDGER_URL', 'https://ledger.internal')}/tenants/{event['tenant']}/entries.csv"
    with urllib.request.urlopen(url, timeout=300) as res:
        rows = sum(1 for _ in csv.reader(io.TextIOWrapper(res)))
    print(f"export tenant={event['tenant']} rows={rows}")
