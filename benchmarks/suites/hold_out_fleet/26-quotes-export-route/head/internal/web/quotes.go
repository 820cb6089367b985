package web

import (
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"
)

func CreateQuote(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(http.StatusCreated)
}

func GetQuote(w http.ResponseWriter, r *http.Request) {
	_ = json.NewEncoder(w).Encode(map[string]string{"id": chi.URLParam(r, "id")})
}
