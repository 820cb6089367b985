package handles

const (
	minLen = 3
	maxLen = 64
)
