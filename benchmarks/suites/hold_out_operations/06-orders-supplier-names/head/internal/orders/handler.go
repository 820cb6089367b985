package orders

import (
	"encoding/json"
	"net/http"

	"harrowgate.example/orders-api/internal/suppliers"
)

type Handler struct {
	Store     *Store
	Suppliers *suppliers.Client
}

func (h Handler) Detail(w http.ResponseWriter, r *http.Request) {
	o, err := h.Store.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	o.SupplierName, _ = h.Suppliers.Name(r.Context(), o.SupplierID)
	json.NewEncoder(w).Encode(o)
}
