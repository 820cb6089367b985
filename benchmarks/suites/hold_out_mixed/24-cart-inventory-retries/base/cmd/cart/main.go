package main

import (
	"net/http"
	"os"

	"github.com/quillstack/cart/internal/cart"
	"github.com/quillstack/cart/internal/inventory"
)

func main() {
	inv := inventory.New(os.Getenv("INVENTORY_URL"))
	http.HandleFunc("/cart/add", func(w http.ResponseWriter, r *http.Request) {
		if err := cart.Add(r.Context(), inv, cart.Line{SKU: r.FormValue("sku"), N: 1}); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	})
	http.ListenAndServe(":8080", nil)
}
