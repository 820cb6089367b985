package quotes

import "github.com/go-chi/chi/v5"

func Routes() chi.Router {
	r := chi.NewRouter()
	r.Post("/", Create)
	r.Route("/{quoteID}", func(r chi.Router) {
		r.Get("/", Show)
		r.Put("/", Update)
		r.Delete("/", Remove)
	})
	return r
}
