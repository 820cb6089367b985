package api

import "github.com/go-chi/chi/v5"

func Routes() chi.Router {
	r := chi.NewRouter()
	r.Route("/v1/venues", func(r chi.Router) {
		r.Get("/id/{id}", getVenue)
		r.Get("/search", searchV1)
	})
	r.Route("/v2/venues", func(r chi.Router) {
		r.Get("/search", searchV2)
	})
	return r
}
