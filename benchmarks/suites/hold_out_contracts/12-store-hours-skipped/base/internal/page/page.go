package page

// Clamp keeps a page size within limits.
func Clamp(n int) int {
	if n < 1 {
		return 1
	}
	if n > 200 {
		return 200
	}
	return n
}
