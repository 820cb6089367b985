package serve

import (
	"net/http"
	"os"
	"path/filepath"
)

func Tiles(root string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		png, err := os.ReadFile(filepath.Join(root, filepath.Clean(r.URL.Path)))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		write(w, png)
	})
}
