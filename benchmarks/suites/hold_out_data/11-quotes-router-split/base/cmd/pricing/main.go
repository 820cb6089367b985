package main

import (
	"net/http"

	"example.net/surely/pricing/internal/quotes"
	"github.com/go-chi/chi/v5"
)

func main() {
	r := chi.NewRouter()
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200) })
	r.Post("/v1/quotes", quotes.Create)
	r.Get("/v1/quotes/{id}", quotes.Show)
	r.Put("/v1/quotes/{id}", quotes.Update)
	r.Delete("/v1/quotes/{id}", quotes.Remove)
	http.ListenAndServe(":8080", r)
}
