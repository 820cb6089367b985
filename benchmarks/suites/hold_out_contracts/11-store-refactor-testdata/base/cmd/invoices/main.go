package main

import "github.com/billwright/invoices/internal/store"

func main() {
	_ = store.Get
}
