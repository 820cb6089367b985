package api

import (
	"encoding/json"
	"net/http"
)

func searchV1(w http.ResponseWriter, r *http.Request) {
	json.NewEncoder(w).Encode(find(r.URL.Query().Get("q"), nil))
}
