package logging

import (
	"log/slog"
	"os"
	"strings"
)

// Setup installs a JSON handler on stdout. Unknown names mean info.
func Setup(name string) {
	level := slog.LevelInfo
	switch strings.ToLower(name) {
	case "debug":
		level = slog.LevelDebug
	case "warn":
		level = slog.LevelWarn
	}
	slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{Level: level})))
}
