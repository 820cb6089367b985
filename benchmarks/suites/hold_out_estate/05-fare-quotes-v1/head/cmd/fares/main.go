package main

import (
	"log/slog"
	"net/http"

	"example.org/pedalo/fares/internal/web"
)

func main() {
	slog.Info("listening", "addr", ":8081")
	if err := http.ListenAndServe(":8081", web.Router()); err != nil {
		slog.Error("stopped", "err", err)
	}
}
