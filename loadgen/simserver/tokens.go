package simserver

import (
	"errors"
	"fmt"
)

// The tokenizer. A token is up to four characters: a blank, if there is one, and
// lower-case letters; every other byte is a token of its own. So counts depend on
// where a text is cut, as they do with real tokenizers, and every token sequence
// has a text.
//
// Tokens below 256 are bytes. The others are four digits in base 32, the first
// character in the highest: 0 none, 1 the blank, 2 to 27 the letters.
const (
	firstWord    = 256
	firstSpecial = firstWord + 1<<20
)

const (
	tokenBegin = firstSpecial + iota
	tokenEnd
	tokenSystem
	tokenUser
	tokenAssistant
	tokenTool
	vocabulary
)

var specialNames = []string{"<|begin|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|tool|>"}

// letter returns the digit of a character, or 0.
func letter(c byte) int {
	if c >= 'a' && c <= 'z' {
		return int(c-'a') + 2
	}
	return 0
}

// nextToken returns the first token of a text that is not empty, and its length in
// bytes.
func nextToken(s string) (id, size int) {
	digits := [4]int{}
	if s[0] == ' ' {
		digits[0] = 1
		size = 1
	}
	for size < 4 && size < len(s) {
		d := letter(s[size])
		if d == 0 {
			break
		}
		digits[size] = d
		size++
	}
	if size == 0 {
		return int(s[0]), 1
	}
	return firstWord + digits[0]<<15 + digits[1]<<10 + digits[2]<<5 + digits[3], size
}

// appendTokens appends the tokens of a text.
func appendTokens(ids []int32, s string) []int32 {
	for s != "" {
		id, size := nextToken(s)
		ids = append(ids, int32(id))
		s = s[size:]
	}
	return ids
}

// textOf returns the text of tokens. The error names the first id that is none.
func textOf(ids []int32) ([]byte, error) {
	var text []byte
	for _, id := range ids {
		switch {
		case id >= 0 && id < firstWord:
			text = append(text, byte(id))
		case id >= firstWord && id < firstSpecial:
			code := int(id) - firstWord
			for shift := 15; shift >= 0; shift -= 5 {
				switch d := code >> shift & 31; {
				case d == 1:
					text = append(text, ' ')
				case d >= 2 && d <= 27:
					text = append(text, byte('a'+d-2))
				case d != 0:
					return text, fmt.Errorf("token id %d is out of vocabulary", id)
				}
			}
		case id >= firstSpecial && id < vocabulary:
			text = append(text, specialNames[id-firstSpecial]...)
		default:
			return text, fmt.Errorf("token id %d is out of vocabulary", id)
		}
	}
	return text, nil
}

// A message is one turn of a chat.
type message struct {
	role    string
	content string
}

var errRole = errors.New("unexpected role")

// chatTokens returns the tokens of a conversation: one that begins it, two around
// each turn, and one that asks for an answer.
func chatTokens(messages []message, ask bool) ([]int32, error) {
	size := 2
	for _, m := range messages {
		size += 2 + len(m.content)/3
	}
	ids := append(make([]int32, 0, size), tokenBegin)
	for _, m := range messages {
		switch m.role {
		case "system", "developer":
			ids = append(ids, tokenSystem)
		case "user":
			ids = append(ids, tokenUser)
		case "assistant":
			ids = append(ids, tokenAssistant)
		case "tool", "function":
			ids = append(ids, tokenTool)
		default:
			return nil, fmt.Errorf("%w %q", errRole, m.role)
		}
		ids = append(appendTokens(ids, m.content), tokenEnd)
	}
	if ask {
		ids = append(ids, tokenAssistant)
	}
	return ids, nil
}

// The words of generated text. One of the first list is one token.
var (
	wordsASCII = []string{
		" add", " air", " all", " and", " any", " arc", " arm", " ask", " bay", " bed", " big", " bit", " boy", " bus",
		" but", " can", " cap", " car", " cat", " cow", " cup", " cut", " day", " dog", " dry", " ear", " eat", " egg",
		" end", " eye", " far", " few", " fog", " for", " fox", " gas", " hat", " hen", " hot", " ice", " ink", " jam",
		" joy", " key", " lag", " law", " leg", " lot", " man", " map", " mud", " net", " new", " now", " oak", " old",
		" one", " our", " own", " pen", " pot", " red", " run", " sea",
	}
	wordsUTF8 = []string{
		" été", " über", " naïf", " façon", " coördinaat", " œuvre", " Ærø", " Łódź", " дом", " море", " λόγος", " 水",
		" 光", " 語", " 🙂", " 🚲", " — ", " “ja”", " ½", " €",
	}
)

// word returns the text of token i that is generated for a request.
func (t Text) word(seed uint64, seq, i int) string {
	words := wordsASCII
	if t == TextUTF8 {
		words = wordsUTF8
	}
	return words[mix(seed^mix(streamText+uint64(seq)<<32+uint64(i)))%uint64(len(words))]
}

// mix spreads the bits of x over the result (the finisher of SplitMix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
