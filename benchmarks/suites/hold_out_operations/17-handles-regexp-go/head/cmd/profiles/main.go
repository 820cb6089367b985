package main

import (
	"log"
	"net/http"

	"rookery.example/profiles/internal/handles"
)

func main() {
	http.HandleFunc("GET /handles/{name}/free", handles.Free)
	log.Fatal(http.ListenAndServe(":8080", nil))
}
