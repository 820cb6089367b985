package entries

import "sync"

type memory struct {
	mu   sync.Mutex
	rows map[string][]Entry
}

var store = &memory{rows: map[string][]Entry{}}

func (m *memory) ByAccount(a string) []Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rows[a]
}

func (m *memory) Add(e Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[e.Account] = append(m.rows[e.Account], e)
}
