package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	raw, err := os.ReadFile("/data/tariffs.json")
	if err != nil {
		panic(err)
	}
	var tariffs map[string]json.RawMessage
	if err := json.Unmarshal(raw, &tariffs); err != nil {
		panic(err)
	}
	http.HandleFunc("GET /tariffs/{id}", func(w http.ResponseWriter, r *http.Request) {
		w.Write(tariffs[r.PathValue("id")])
	})
	http.ListenAndServe(":8080", nil)
}
