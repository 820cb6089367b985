package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

func Router() http.Handler {
	r := chi.NewRouter()
	r.Get("/ok", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	r.Route("/v1", func(r chi.Router) {
		r.Post("/quotes", quoteV1)
	})
	r.Route("/v2", func(r chi.Router) {
		r.Post("/quotes", quoteV2)
		r.Get("/quotes/{id}", showQuote)
	})
	return r
}
