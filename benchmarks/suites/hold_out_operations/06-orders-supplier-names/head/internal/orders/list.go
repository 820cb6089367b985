package orders

import (
	"encoding/json"
	"log/slog"
	"net/http"
)

const pageSize = 50

func (h Handler) List(w http.ResponseWriter, r *http.Request) {
	rows, err := h.Store.Recent(r.Context(), pageSize)
	if err != nil {
		http.Error(w, "unavailable", http.StatusServiceUnavailable)
		return
	}
	for i := range rows {
		rows[i].SupplierName, _ = h.Suppliers.Name(r.Context(), rows[i].SupplierID)
	}
	slog.Info("list orders", "n", len(rows))
	json.NewEncoder(w).Encode(rows)
}
