package format

import "strings"

// WebAddress returns an address that a page may link to, empty for anything else.
func WebAddress(url string) string {
	if strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://") {
		return url
	}
	return ""
}

// HuggingFace is the address of a model, empty for what is no id.
func HuggingFace(id string) string {
	if org, name, ok := strings.Cut(id, "/"); ok && org != "" && name != "" {
		return "https://huggingface.co/" + id
	}
	return ""
}
