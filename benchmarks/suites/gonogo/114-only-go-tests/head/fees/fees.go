package fees

func Of(cents int64) int64 {
	if cents < 10_000 {
		return 99
	}
	return cents / 100
}
