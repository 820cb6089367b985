package main

import (
	"log"
	"net/http"
	"os"

	"github.com/fieldgrid/dispatch/internal/assign"
)

func main() {
	http.HandleFunc("/assign", assign.Handle)
	log.Fatal(http.ListenAndServe(":"+os.Getenv("PORT"), nil))
}
