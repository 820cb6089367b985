package page

// Clamp keeps a page size within limits.
func Clamp(n int) int {
	return max(1, min(n, 200))
}
