package store

const byID = `SELECT id, total_minor FROM invoices WHERE id = $1`
