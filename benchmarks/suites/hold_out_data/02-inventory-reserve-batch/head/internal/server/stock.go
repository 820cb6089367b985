package server

type Stock interface {
	Take(sku string, n int32) bool
	Put(sku string, n int32)
}
