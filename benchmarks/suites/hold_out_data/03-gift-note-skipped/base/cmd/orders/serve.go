package main

import "net/http"

func serve() {
	http.ListenAndServe(":8080", nil)
}
