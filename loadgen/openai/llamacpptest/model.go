package llamacpptest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"

	"example.org/arena/loadgen/prompt"
)

// The size of the model: about a million parameters.
const (
	embedding  = 128
	heads      = 2
	feed       = 384
	blocks     = 2
	pieces     = 1400 // of text, 256 of them bytes
	trainedFor = 4096 // tokens of context
)

// specials are the tokens that are no text. The model never chooses them.
var specials = []string{"<|begin|>", "<|end|>", "<|im_start|>", "<|im_end|>"}

// Model returns a model in GGUF, the format that llama.cpp loads: a llama with
// random weights, and a vocabulary learnt from the texts of prompts. Only pieces of
// text can be the likeliest token, so that no greedy answer stops before it must.
func Model() ([]byte, error) {
	var all strings.Builder
	for _, name := range prompt.Names() {
		text, err := prompt.Named(name)
		if err != nil {
			return nil, err
		}
		all.WriteString(text.String())
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
	return f.bytes(), nil
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
