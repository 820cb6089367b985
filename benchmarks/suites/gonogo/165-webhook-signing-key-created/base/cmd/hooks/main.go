package main

import (
	"log"
	"os"

	"example.org/brindle/hooks/internal/send"
)

func main() {
	url := os.Getenv("QUEUE_URL")
	if url == "" {
		log.Fatal("QUEUE_URL is not set")
	}
	send.Run(url)
}
