package main

import (
	"log"
	"os"

	"github.com/fieldgrid/ingest/internal/store"
)

func main() {
	if err := store.Migrate(os.Getenv("DATABASE_URL")); err != nil {
		log.Fatal(err)
	}
	log.Print("ready")
	select {}
}
