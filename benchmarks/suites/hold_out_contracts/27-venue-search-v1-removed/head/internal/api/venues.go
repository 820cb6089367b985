package api

import (
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"
)

type Venue struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

var find func(text string, facets []string) []Venue

func getVenue(w http.ResponseWriter, r *http.Request) {
	json.NewEncoder(w).Encode(Venue{ID: chi.URLParam(r, "id")})
}
