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
	srv := &http.Server{Addr: ":8080", Handler: http.DefaultServeMux}
	go srv.ListenAndServe()
	<-ctx.Done()
	drain, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	srv.Shutdown(drain)
}
