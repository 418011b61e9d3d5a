package contract

// A Table is a TOML table of any file that people write beside contracts. It
// reads keys by name and type; what is missing, unknown or of the wrong type
// becomes a fault with its line, and reading goes on, so that all faults of a
// file appear at once.
type Table = table

// DecodeTOML reads the syntax of a file. Name is the file's name for messages.
// The error is Faults.
func DecodeTOML(name string, data []byte) (*Table, error) { return decodeTOML(name, data) }

// Fault notes a fault at a key of the table, or at the table itself when key is
// empty.
func (t *table) Fault(key, format string, args ...any) {
	if key == "" {
		t.report.add(t.path, format, args...)
		return
	}
	t.fault(key, format, args...)
}

// Need notes each of the keys that is missing.
func (t *table) Need(keys ...string) { t.need(keys...) }

// Has reports whether the table has the key.
func (t *table) Has(key string) bool { return t.has(key) }

// Done notes each key that was not asked for.
func (t *table) Done() { t.done() }

// Err returns the faults noted so far in any table of the file, or nil.
func (t *table) Err() error { return t.report.err() }

// Str returns a string, empty when the key is missing.
func (t *table) Str(key string) string { return t.str(key) }

// Boolean returns a boolean, false when the key is missing.
func (t *table) Boolean(key string) bool { return t.boolean(key) }

// Integer returns an integer, zero when the key is missing.
func (t *table) Integer(key string) int64 { return t.integer(key) }

// Number returns a number, zero when the key is missing.
func (t *table) Number(key string) float64 { return t.number(key) }

// Strs returns a list of strings, empty when the key is missing.
func (t *table) Strs(key string) []string { return t.strs(key) }

// Sub returns the table under a key, empty when there is none.
func (t *table) Sub(key string) *Table { return t.sub(key) }

// Subs returns the tables of an array, none when the key is missing.
func (t *table) Subs(key string) []*Table { return t.subs(key) }
