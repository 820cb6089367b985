package main

import (
	"net/http"

	"example.net/surely/pricing/internal/quotes"
	"github.com/go-chi/chi/v5"
)

func main() {
	r := chi.NewRouter()
	r.Get("/healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(200) })
	r.Mount("/v1/quotes", quotes.Routes())
	http.ListenAndServe(":8080", r)
}
