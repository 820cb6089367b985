package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.org/brindle/ingest/internal/store"
)

func main() {
	pool, err := pgxpool.New(context.Background(), os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	events := store.Events{Pool: pool}
	http.HandleFunc("POST /events", func(w http.ResponseWriter, r *http.Request) {
		if _, err := events.Add(r.Context(), r.Header.Get("X-Kind"), r.RemoteAddr, nil); err != nil {
			http.Error(w, "unavailable", http.StatusServiceUnavailable)
		}
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
