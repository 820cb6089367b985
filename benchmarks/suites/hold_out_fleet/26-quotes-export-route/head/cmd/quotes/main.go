package main

import (
	"log"
	"net/http"

	"github.com/coverly/quotes/internal/web"
)

func main() {
	log.Fatal(http.ListenAndServe(":8080", web.Router()))
}
