package main

import (
	"log"
	"net/http"
	"os"

	"harrowgate.example/orders-api/internal/orders"
	"harrowgate.example/orders-api/internal/suppliers"
)

func main() {
	h := orders.Handler{Store: orders.Open(os.Getenv("DATABASE_URL")), Suppliers: suppliers.New(os.Getenv("SUPPLIERS_URL"))}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /orders", h.List)
	mux.HandleFunc("GET /orders/{id}", h.Detail)
	log.Fatal(http.ListenAndServe(":8080", mux))
}
