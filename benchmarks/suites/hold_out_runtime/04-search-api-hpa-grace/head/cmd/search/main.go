package main

import (
	"context"
	"net/http"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	srv := &http.Server{Addr: ":8080", WriteTimeout: 10 * time.Second}
	go srv.ListenAndServe()
	<-ctx.Done()
	down, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	srv.Shutdown(down)
}
