package settings

import (
	"log"
	"os"
)

type Settings struct {
	DSN  string
	Port string
}

func must(name string) string {
	v, ok := os.LookupEnv(name)
	if !ok {
		log.Fatalf("%s is not set", name)
	}
	return v
}

func Load() Settings {
	return Settings{
		DSN:  must("DATABASE_URL"),
		Port: must("PORT"),
	}
}
