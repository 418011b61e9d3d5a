package arrival

import "example.org/arena/results/numpy"

// The lengths that `vllm bench serve` takes from a file of conversations, in
// tokens.
const (
	shortestTurn  = 4
	longestPrompt = 1024
	longestBoth   = 2048
)

// A Turn is the first question of a conversation and its answer, in tokens as
// the tokenizer counts them, special tokens included.
type Turn struct{ Prompt, Output int }

// fits reports whether `vllm bench serve` sends a turn.
func (t Turn) fits() bool {
	return t.Prompt >= shortestTurn && t.Output >= shortestTurn && t.Prompt <= longestPrompt && t.Prompt+t.Output <= longestBoth
}

// SelectShareGPT returns which conversations `vllm bench serve` sends, and in
// which order: numbers in [0,conversations), n of them, or none when no
// conversation fits. The conversations are those of a ShareGPT file with at least
// two messages, in the file's order. Measure is asked for their lengths in the
// order of a shuffle that the seed fixes, until n fit; its error ends the
// selection. When too few fit, some are sent again.
//
// The answers to these prompts have no fixed length, so the selection, not the
// load, is what a seed fixes; another tokenizer may select others.
func SelectShareGPT(seed int64, conversations, n int, measure func(conversation int) (Turn, error)) ([]int, error) {
	var chosen []int
	for _, c := range shuffled(seed, conversations) {
		if len(chosen) >= n {
			break
		}
		turn, err := measure(c)
		if err != nil {
			return nil, err
		}
		if turn.fits() {
			chosen = append(chosen, c)
		}
	}
	fitting := len(chosen)
	if fitting == 0 {
		return nil, nil
	}
	again := numpy.NewPython(seed)
	for len(chosen) < n {
		chosen = append(chosen, chosen[again.Below(uint64(fitting))])
	}
	return chosen, nil
}

// shuffled returns the integers of [0,n) in the order in which Python's shuffle
// leaves them.
func shuffled(seed int64, n int) []int {
	order := make([]int, max(n, 0))
	for i := range order {
		order[i] = i
	}
	numpy.NewPython(seed).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}
