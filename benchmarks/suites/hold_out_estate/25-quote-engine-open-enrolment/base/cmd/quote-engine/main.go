package main

import (
	"context"
	"log"
	"net/http"

	"assura.example/quote-engine/internal/store"
)

func main() {
	pool, err := store.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	log.Fatal(http.ListenAndServe(":8080", nil))
}
