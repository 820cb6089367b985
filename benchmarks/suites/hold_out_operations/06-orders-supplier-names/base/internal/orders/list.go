package orders

import (
	"encoding/json"
	"log/slog"
	"net/http"
)

func (h Handler) List(w http.ResponseWriter, r *http.Request) {
	rows, err := h.Store.Recent(r.Context(), 50)
	if err != nil {
		http.Error(w, "unavailable", http.StatusServiceUnavailable)
		return
	}
	slog.Info("list orders", "n", len(rows))
	json.NewEncoder(w).Encode(rows)
}
