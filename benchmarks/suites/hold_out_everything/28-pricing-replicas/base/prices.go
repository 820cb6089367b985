package main

import "net/http"

func prices(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Write([]byte(`{"cents": 1290}`))
}
