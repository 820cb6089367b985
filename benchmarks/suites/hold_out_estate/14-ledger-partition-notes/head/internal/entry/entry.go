package entry

// Entry is one side of a booking; stored in the partition of its value date.
type Entry struct {
	Account string
	Cents   int64
}
