package entry

// Entry is one side of a booking.
type Entry struct {
	Account string
	Cents   int64
}
