package i18n

// List joins items into a sentence's list: a, b en c · a, b and c · a, b et c.
func (p *Printer) List(items ...string) string {
	if len(items) == 0 {
		return ""
	}
	text := items[0]
	for i, item := range items[1:] {
		key := "format.list_next"
		if i == len(items)-2 {
			key = "format.list_last"
		}
		text = p.T(key, "list", text, "item", item)
	}
	return text
}
