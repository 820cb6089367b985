package main

import (
	"encoding/json"
	"net/http"
	"os"

	"example.net/boxmoor/labels/internal/carrier"
)

func main() {
	http.HandleFunc("POST /labels", func(w http.ResponseWriter, r *http.Request) {
		var parcel map[string]any
		if err := json.NewDecoder(r.Body).Decode(&parcel); err != nil {
			http.Error(w, "bad parcel", http.StatusBadRequest)
			return
		}
		l, err := carrier.Buy(os.Getenv("CARRIER_URL"), parcel)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		json.NewEncoder(w).Encode(l)
	})
	http.ListenAndServe(":8080", nil)
}
