package api

import (
	"encoding/json"
	"net/http"
)

func searchV2(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	json.NewEncoder(w).Encode(map[string]any{"hits": find(q.Get("text"), q["facet"]), "facets": q["facet"]})
}
