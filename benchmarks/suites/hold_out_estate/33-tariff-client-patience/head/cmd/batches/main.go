package main

import (
	"log"
	"os"

	"kilowatt.example/meter-batches/internal/tariff"
)

func main() {
	t := tariff.New(os.Getenv("TARIFF_URL"))
	cents, err := t.Rate("NO2")
	log.Println(cents, err)
}
