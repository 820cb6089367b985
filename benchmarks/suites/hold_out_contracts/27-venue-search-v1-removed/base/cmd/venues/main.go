package main

import (
	"net/http"

	"github.com/openvenue/venues/internal/api"
)

func main() {
	http.ListenAndServe(":8080", api.Routes())
}
