package openai

import "errors"

// ErrNotOffered says that a server has no such endpoint.
var ErrNotOffered = errors.New("the server does not offer it")

// A Model is one entry of GET /v1/models.
type Model struct {
	ID          string `json:"id"`
	Root        string `json:"root"`          // where the server loaded it from, "" when it does not say
	OwnedBy     string `json:"owned_by"`      // "vllm", "sglang", "llamacpp", "library" (Ollama)
	MaxModelLen int    `json:"max_model_len"` // longest context in tokens, 0 when it does not say
}

// A Dialect is a server's way to tokenise.
type Dialect string

// The dialects.
const (
	VLLM     Dialect = "vllm"      // POST /tokenize {"prompt"} or {"messages"}
	SGLang   Dialect = "sglang"    // POST /tokenize {"prompt"}: text only
	LlamaCpp Dialect = "llama.cpp" // POST /tokenize {"content"}, POST /apply-template
)

// Tokens is a tokenised text.
type Tokens struct {
	Count int
	IDs   []int
}

// A Version is what a server says that it is.
type Version struct {
	Engine  string // "vllm", "sglang", "llama.cpp", "ollama", or "" when it does not say
	Version string
	Path    string // endpoint that said so
}
