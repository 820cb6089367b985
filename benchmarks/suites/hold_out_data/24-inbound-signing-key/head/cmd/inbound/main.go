package main

import (
	"net/http"

	"example.net/portway/inbound/internal/hooks"
	"example.net/portway/inbound/internal/settings"
)

func main() {
	s := settings.Load()
	http.HandleFunc("POST /hooks", hooks.Receive(s.SigningKey))
	http.ListenAndServe(":"+s.Port, nil)
}
