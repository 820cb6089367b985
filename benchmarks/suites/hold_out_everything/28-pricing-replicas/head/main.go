package main

import (
	"log"
	"net/http"
)

func main() {
	http.HandleFunc("/readyz", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	http.HandleFunc("/prices", prices)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
