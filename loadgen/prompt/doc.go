// Package prompt makes prompts of an exact number of tokens, as the server counts
// them: its own /tokenize is asked where it has one, else what it reports as used.
// No tokenizer is guessed.
//
// A prompt is a window of a named text, drawn by a seed, with a salt in front
// that no other cell has, so that a prefix cache cannot help beyond the first
// tokens of the chat template. Prompts can also come from files of conversations
// in ShareGPT's form, and conversations can feed the answers back.
//
// Lengths are in tokens and count the whole prompt, chat template included: what
// the server says as usage.prompt_tokens.
package prompt
