package main

import (
	"log"
	"net/http"

	"copperline.example/ledger/internal/entries"
)

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /entries/{account}", entries.List)
	mux.HandleFunc("POST /entries", entries.Post)
	log.Fatal(http.ListenAndServe(":8443", mux))
}
