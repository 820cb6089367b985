package main

import (
	"context"
	"log"
	"os"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

const open = `SELECT id, amount_minor, fee_minor FROM settlement_lines WHERE settled_at IS NULL LIMIT 500`

func main() {
	ctx := context.Background()
	db, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		panic(err)
	}
	for range time.Tick(30 * time.Second) {
		rows, err := db.Query(ctx, open)
		if err != nil {
			log.Printf("settlement cycle failed: %v", err)
			continue
		}
		n, total := 0, int64(0)
		for rows.Next() {
			var id, amount, fee int64
			if err := rows.Scan(&id, &amount, &fee); err != nil {
				log.Printf("scan: %v", err)
				continue
			}
			n, total = n+1, total+amount-fee
		}
		log.Printf("settlement cycle done rows=%d total_minor=%d", n, total)
	}
}
