package main

import (
	"log"
	"net/http"

	"fjellkart.example/tiles/internal/serve"
)

func main() {
	http.Handle("/tiles/", serve.Tiles("/data/pyramid"))
	http.Handle("/overlay/", serve.Overlay("/data/tracks"))
	log.Fatal(http.ListenAndServe(":8090", nil))
}
