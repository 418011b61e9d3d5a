package openai_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The size of the model: about a million parameters.
const (
	embedding  = 128
	heads      = 4
	feed       = 384
	blocks     = 2
	pieces     = 1400 // of text, 256 of them bytes
	trainedFor = 4096 // tokens of context
)

// specials are the tokens that are no text. The model never chooses them.
var specials = []string{"<|begin|>", "<|end|>", "<|im_start|>", "<|im_end|>"}

// TestModel: the same model, to the byte, every time.
func TestModel(t *testing.T) {
	t.Parallel()
	first, second := tinyModel(t), tinyModel(t)
	if !bytes.Equal(first, second) {
		t.Error("two models differ")
	}
	if n := len(first); n < 3<<20 || n > 6<<20 {
		t.Errorf("%d bytes", n)
	}
}

// tinyModel returns a model in GGUF, the format that llama.cpp loads: a llama with
// random weights, and a vocabulary learnt from the texts of prompts. Only pieces of
// text can be the likeliest token, so that no greedy answer stops before it must.
func tinyModel(t *testing.T) []byte {
	t.Helper()
	files, err := filepath.Glob("../prompt/texts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts to learn a vocabulary from: %v", err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	words, merges := learnPieces(all.String(), pieces)
	f := &ggufFile{rng: rand.New(rand.NewPCG(1, 2))}
	f.describe(words, merges)
	vocabulary := len(words) + len(specials)
	f.tensor("token_embd.weight", 1, embedding, vocabulary)
	for i := range blocks {
		name := func(s string) string { return fmt.Sprintf("blk.%d.%s.weight", i, s) }
		f.ones(name("attn_norm"), embedding)
		for _, part := range []string{"attn_q", "attn_k", "attn_v", "attn_output"} {
			f.tensor(name(part), 0.3, embedding, embedding)
		}
		f.ones(name("ffn_norm"), embedding)
		f.tensor(name("ffn_gate"), 0.3, embedding, feed)
		f.tensor(name("ffn_up"), 0.3, embedding, feed)
		f.tensor(name("ffn_down"), 0.3, feed, embedding)
	}
	f.ones("output_norm.weight", embedding)
	rows := f.tensor("output.weight", 1, embedding, vocabulary)
	for i, word := range append(slices.Clone(words), specials...) {
		if i >= len(words) || !utf8.ValidString(word) {
			clear(rows[i*embedding : (i+1)*embedding]) // its logit is 0, below the best of hundreds
		}
	}
	return f.bytes()
}

// describe adds what llama.cpp must know of the model.
func (f *ggufFile) describe(words []string, merges [][2]string) {
	tokens, kinds := make([]string, 0, len(words)), make([]int32, 0, len(words))
	for _, word := range words {
		tokens, kinds = append(tokens, printable(word)), append(kinds, 1) // normal
	}
	for _, s := range specials {
		tokens, kinds = append(tokens, s), append(kinds, 3) // control
	}
	pairs := make([]string, len(merges))
	for i, m := range merges {
		pairs[i] = printable(m[0]) + " " + printable(m[1])
	}
	f.set("general.architecture", "llama")
	f.set("general.name", "tiny")
	f.set("llama.context_length", uint32(trainedFor))
	f.set("llama.embedding_length", uint32(embedding))
	f.set("llama.block_count", uint32(blocks))
	f.set("llama.feed_forward_length", uint32(feed))
	f.set("llama.attention.head_count", uint32(heads))
	f.set("llama.attention.head_count_kv", uint32(heads))
	f.set("llama.attention.layer_norm_rms_epsilon", float32(1e-5))
	f.set("llama.rope.dimension_count", uint32(embedding/heads))
	f.set("tokenizer.ggml.model", "gpt2")
	f.set("tokenizer.ggml.pre", "gpt-2")
	f.set("tokenizer.ggml.tokens", tokens)
	f.set("tokenizer.ggml.token_type", kinds)
	f.set("tokenizer.ggml.merges", pairs)
	f.set("tokenizer.ggml.bos_token_id", uint32(len(words)))
	f.set("tokenizer.ggml.eos_token_id", uint32(len(words)+1))
	f.set("tokenizer.ggml.add_bos_token", true)
}

// A ggufFile is a GGUF file of version 3 in the making.
type ggufFile struct {
	rng     *rand.Rand
	values  int
	head    []byte // keys and values
	tensors []ggufTensor
}

type ggufTensor struct {
	name  string
	shape []int
	data  []float32
}

var order = binary.LittleEndian

// The codes of types in a GGUF file.
const (
	typeU32    = 4
	typeI32    = 5
	typeF32    = 6
	typeBool   = 7
	typeString = 8
	typeArray  = 9
)

func appendString(p []byte, s string) []byte {
	return append(order.AppendUint64(p, uint64(len(s))), s...)
}

// set adds a key with its value.
func (f *ggufFile) set(key string, value any) {
	f.values++
	p := appendString(f.head, key)
	array := func(kind uint32, n int) {
		p = order.AppendUint32(order.AppendUint32(p, typeArray), kind)
		p = order.AppendUint64(p, uint64(n))
	}
	switch v := value.(type) {
	case uint32:
		p = order.AppendUint32(order.AppendUint32(p, typeU32), v)
	case float32:
		p = order.AppendUint32(order.AppendUint32(p, typeF32), math.Float32bits(v))
	case bool:
		p = append(order.AppendUint32(p, typeBool), 1)
	case string:
		p = appendString(order.AppendUint32(p, typeString), v)
	case []int32:
		array(typeI32, len(v))
		for _, n := range v {
			p = order.AppendUint32(p, uint32(n))
		}
	case []string:
		array(typeString, len(v))
		for _, s := range v {
			p = appendString(p, s)
		}
	}
	f.head = p
}

// tensor adds random weights between -scale and scale, and returns them.
func (f *ggufFile) tensor(name string, scale float64, shape ...int) []float32 {
	data := make([]float32, shape[0]*shape[1])
	for i := range data {
		data[i] = float32((2*f.rng.Float64() - 1) * scale)
	}
	f.tensors = append(f.tensors, ggufTensor{name, shape, data})
	return data
}

func (f *ggufFile) ones(name string, n int) {
	f.tensors = append(f.tensors, ggufTensor{name, []int{n}, slices.Repeat([]float32{1}, n)})
}

// bytes returns the file.
func (f *ggufFile) bytes() []byte {
	const alignment = 32 // which every tensor's size is a multiple of
	p := order.AppendUint32([]byte("GGUF"), 3)
	p = order.AppendUint64(p, uint64(len(f.tensors)))
	p = order.AppendUint64(p, uint64(f.values))
	p = append(p, f.head...)
	offset := 0
	for _, t := range f.tensors {
		p = order.AppendUint32(appendString(p, t.name), uint32(len(t.shape)))
		for _, n := range t.shape {
			p = order.AppendUint64(p, uint64(n))
		}
		p = order.AppendUint64(order.AppendUint32(p, 0), uint64(offset)) // 0: single precision
		offset += 4 * len(t.data)
	}
	p = append(p, make([]byte, (alignment-len(p)%alignment)%alignment)...)
	for _, t := range f.tensors {
		for _, x := range t.data {
			p = order.AppendUint32(p, math.Float32bits(x))
		}
	}
	return p
}

// printable writes a piece as GPT-2's vocabulary does: bytes that are no visible
// character stand as one from U+0100 on.
func printable(piece string) string {
	var out strings.Builder
	for _, b := range []byte(piece) {
		out.WriteRune(visible[b])
	}
	return out.String()
}

var visible = func() (table [256]rune) {
	next := rune(0x100)
	for b := range table {
		if b > ' ' && b <= '~' || b >= 0xa1 && b != 0xad {
			table[b] = rune(b)
			continue
		}
		table[b] = next
		next++
	}
	return table
}()

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
