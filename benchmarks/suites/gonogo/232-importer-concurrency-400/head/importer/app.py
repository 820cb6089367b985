import json

from db import connection


def handler(event, _context):
    with connection() as conn, conn.cursor() as cur:
        for record in event["Records"]:
            item = json.loads(record["body"])
            cur.execute(
                "INSERT INTO items (sku, price, stock) VALUES (%s, %s, %s) "
                "ON CONFLICT (sku) DO UPDATE SET price = excluded.price, stock = excluded.stock",
                (item["sku"], item["price"], item["stock"]),
            )
        conn.commit()
