package web

import (
	"encoding/json"
	"net/http"

	"example.net/brightmail/parcels/internal/addresses"
)

func Handler(c *addresses.Client) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		out, err := c.Lookup(r.Context(), r.PathValue("key"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		json.NewEncoder(w).Encode(out)
	}
}
