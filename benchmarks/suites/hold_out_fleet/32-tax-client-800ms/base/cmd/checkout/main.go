package main

import (
	"log"
	"net/http"
	"os"

	"github.com/fernshop/checkout/internal/tax"
)

func main() {
	client := tax.New(os.Getenv("TAX_ENGINE_URL"))
	http.HandleFunc("/checkout", func(w http.ResponseWriter, r *http.Request) {
		cents, err := client.Cents(r.Context(), r.FormValue("basket"))
		if err != nil {
			http.Error(w, "tax unavailable", http.StatusBadGateway)
			return
		}
		log.Printf("basket=%s tax=%d", r.FormValue("basket"), cents)
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
