package assign

import (
	"encoding/json"
	"net/http"
)

type job struct {
	ID  string  `json:"id"`
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

func Handle(w http.ResponseWriter, r *http.Request) {
	var j job
	if err := json.NewDecoder(r.Body).Decode(&j); err != nil {
		http.Error(w, "bad body", http.StatusBadRequest)
		return
	}
	json.NewEncoder(w).Encode(map[string]string{"job": j.ID, "depot": nearest(j.Lat, j.Lon)})
}
