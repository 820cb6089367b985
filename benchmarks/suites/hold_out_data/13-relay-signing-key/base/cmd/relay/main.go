package main

import (
	"net/http"

	"example.net/portway/relay/internal/hooks"
	"example.net/portway/relay/internal/settings"
)

func main() {
	s := settings.Load()
	http.HandleFunc("POST /hooks", hooks.Receive)
	http.ListenAndServe(":"+s.Port, nil)
}
