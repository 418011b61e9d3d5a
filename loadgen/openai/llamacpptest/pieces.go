package llamacpptest

import (
	"regexp"
	"slices"
)

var wordRule = regexp.MustCompile(` ?\pL+| ?\pN+| ?[^\s\pL\pN]+|\s+`)

// learnPieces learns n pieces of a text by byte pair encoding: the 256 bytes, then
// again and again the pair that is most frequent, the first by its bytes among
// equals. It returns them and the pairs in the order in which they were merged.
func learnPieces(text string, n int) (list []string, merges [][2]string) {
	type word struct {
		parts []string
		count int
	}
	seen := map[string]*word{}
	var words []*word // in the order of the text
	for _, w := range wordRule.FindAllString(text, -1) {
		if seen[w] == nil {
			seen[w] = &word{parts: bytesOf(w)}
			words = append(words, seen[w])
		}
		seen[w].count++
	}
	counts := map[[2]string]int{}
	tally := func(w *word, sign int) {
		for i := range len(w.parts) - 1 {
			counts[[2]string{w.parts[i], w.parts[i+1]}] += sign * w.count
		}
	}
	for _, w := range words {
		tally(w, 1)
	}
	for b := range 256 {
		list = append(list, string([]byte{byte(b)}))
	}
	for len(list) < n {
		best, most := [2]string{}, 0
		for pair, count := range counts {
			if count > most || count == most && slices.Compare(pair[:], best[:]) < 0 {
				best, most = pair, count
			}
		}
		merges = append(merges, best)
		list = append(list, best[0]+best[1])
		for _, w := range words {
			if i := indexPair(w.parts, best, 0); i >= 0 {
				tally(w, -1)
				for ; i >= 0; i = indexPair(w.parts, best, i+1) {
					w.parts = slices.Replace(w.parts, i, i+2, best[0]+best[1])
				}
				tally(w, 1)
			}
		}
	}
	return list, merges
}

// bytesOf returns the bytes of a text as texts.
func bytesOf(s string) []string {
	parts := make([]string, len(s))
	for i := range parts {
		parts[i] = s[i : i+1]
	}
	return parts
}

// indexPair returns where a pair stands in parts, at or after from; -1 when it
// does not.
func indexPair(parts []string, pair [2]string, from int) int {
	for i := from; i+1 < len(parts); i++ {
		if parts[i] == pair[0] && parts[i+1] == pair[1] {
			return i
		}
	}
	return -1
}
