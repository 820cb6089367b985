package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Router wires everything that brokers can call.
func Router() http.Handler {
	r := chi.NewRouter()
	r.Use(Metrics)
	r.Handle("/metrics", promhttp.Handler())
	r.Route("/v1/quotes", func(r chi.Router) {
		r.Post("/", CreateQuote)
		r.Get("/{id}", GetQuote)
	})
	r.Get("/v1/exports/quotes", ExportQuotes)
	return r
}
