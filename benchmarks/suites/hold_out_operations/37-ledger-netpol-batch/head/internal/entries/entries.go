package entries

import (
	"encoding/json"
	"net/http"
)

type Entry struct {
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

func List(w http.ResponseWriter, r *http.Request) {
	json.NewEncoder(w).Encode(store.ByAccount(r.PathValue("account")))
}

func Post(w http.ResponseWriter, r *http.Request) {
	var e Entry
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil {
		http.Error(w, "bad entry", http.StatusBadRequest)
		return
	}
	store.Add(e)
	w.WriteHeader(http.StatusCreated)
}
