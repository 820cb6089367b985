package serve

import "net/http"

func Overlay(root string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		write(w, draw(root, r.URL.Path))
	})
}

func draw(root, path string) []byte {
	return []byte(root + path)
}
