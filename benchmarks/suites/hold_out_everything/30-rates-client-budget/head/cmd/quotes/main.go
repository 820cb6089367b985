package main

import (
	"log"
	"net/http"
	"os"

	"github.com/parcelo/quotes/internal/quote"
	"github.com/parcelo/quotes/internal/rates"
)

func main() {
	client := rates.New(os.Getenv("RATES_URL"))
	http.Handle("/v1/quotes", quote.Handler(client))
	log.Fatal(http.ListenAndServe(":8080", nil))
}
