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
	key := os.Getenv("SIGNING_KEY")
	if key == "" {
		log.Fatal("SIGNING_KEY is not set")
	}
	send.Run(url, []byte(key))
}
