package web

import (
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"
)

type point struct{ Lat, Lng float64 }

func quoteV2(w http.ResponseWriter, r *http.Request) {
	var t struct{ From, To point }
	if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
		http.Error(w, "bad trip", http.StatusBadRequest)
		return
	}
	json.NewEncoder(w).Encode(map[string]int{"amount": price(t.From.Lat, t.From.Lng, t.To.Lat, t.To.Lng)})
}

func showQuote(w http.ResponseWriter, r *http.Request) {
	json.NewEncoder(w).Encode(map[string]string{"id": chi.URLParam(r, "id")})
}
