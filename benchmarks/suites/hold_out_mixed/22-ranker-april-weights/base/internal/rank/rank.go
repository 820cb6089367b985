package rank

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"sort"
	"time"
)

type Offer struct {
	ID    string  `json:"id"`
	Price float64 `json:"price"`
	Score float64 `json:"score"`
}

func Handle(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	var offers []Offer
	if err := json.NewDecoder(r.Body).Decode(&offers); err != nil {
		http.Error(w, "bad body", http.StatusBadRequest)
		return
	}
	for i := range offers {
		offers[i].Score = score(offers[i])
		slog.Debug("scored candidate", "id", offers[i].ID, "price", offers[i].Price, "score", offers[i].Score, "features", features(offers[i]))
	}
	sort.Slice(offers, func(a, b int) bool { return offers[a].Score > offers[b].Score })
	slog.Info("ranked", "candidates", len(offers), "took_ms", time.Since(began).Milliseconds())
	json.NewEncoder(w).Encode(offers)
}
