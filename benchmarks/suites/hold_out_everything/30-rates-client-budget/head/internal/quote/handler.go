package quote

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/parcelo/quotes/internal/rates"
)

func Handler(c *rates.Client) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		grams, _ := strconv.Atoi(r.URL.Query().Get("grams"))
		cents, err := c.Rate(r.Context(), r.URL.Query().Get("zone"), grams)
		if err != nil {
			http.Error(w, "rates unavailable", http.StatusBadGateway)
			return
		}
		json.NewEncoder(w).Encode(map[string]int64{"cents": cents})
	})
}
