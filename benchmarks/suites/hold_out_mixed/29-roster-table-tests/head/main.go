package main

import (
	"log"
	"net/http"

	"github.com/fieldgrid/roster/internal/shift"
)

func main() {
	http.HandleFunc("/shifts", shift.Handle)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
