package main

import (
	"net/http"

	"github.com/parcelly/label-service/addrclient"
)

func main() {
	http.HandleFunc("POST /labels", func(w http.ResponseWriter, r *http.Request) {
		if err := addrclient.Verify(r.Context(), r.FormValue("address")); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.WriteHeader(http.StatusCreated)
	})
	http.ListenAndServe(":8080", nil)
}
