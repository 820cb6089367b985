package web

import (
	"encoding/json"
	"net/http"
)

type tripV1 struct {
	FromLat, FromLng, ToLat, ToLng float64
}

func quoteV1(w http.ResponseWriter, r *http.Request) {
	var t tripV1
	if err := json.NewDecoder(r.Body).Decode(&t); err != nil {
		http.Error(w, "bad trip", http.StatusBadRequest)
		return
	}
	json.NewEncoder(w).Encode(map[string]int{"cents": price(t.FromLat, t.FromLng, t.ToLat, t.ToLng)})
}
