package main

import (
	"log/slog"
	"net/http"
	"os"

	"github.com/quillstack/offer-ranker/internal/logging"
	"github.com/quillstack/offer-ranker/internal/rank"
)

func main() {
	logging.Setup(os.Getenv("LOG_LEVEL"))
	http.HandleFunc("/v2/rank", rank.Handle)
	slog.Info("listening", "addr", ":8080")
	if err := http.ListenAndServe(":8080", nil); err != nil {
		slog.Error("serve", "err", err)
		os.Exit(1)
	}
}
