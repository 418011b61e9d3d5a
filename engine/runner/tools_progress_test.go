package runner

import "testing"

func TestToolProgress(t *testing.T) {
	t.Parallel()
	var benchy, vllm ToolProgress
	for _, c := range []struct {
		at   *ToolProgress
		line string
		want ToolProgress
		seen bool
	}{
		{&benchy, "Warming up...", ToolProgress{}, false},
		{&benchy, "Running test: pp=1024, tg=1024, depth=0, concurrency=1", ToolProgress{Cells: 1}, true},
		{&benchy, "  Warmup (batch size 1)...", ToolProgress{Cells: 1}, false},
		{&benchy, "  Run 3/3 (batch size 1)...", ToolProgress{Cells: 1, Repetition: 3, Repetitions: 3, Requests: 1}, true},
		{&benchy, "Running test: pp=1024, tg=1024, depth=0, concurrency=5", ToolProgress{Cells: 2}, true},
		{&benchy, "  Run 1/3 (Context Load, batch size 5)...", ToolProgress{Cells: 2, Repetition: 1, Repetitions: 3, Requests: 5}, true},
		{&vllm, "  0%|          | 0/200 [00:00<?, ?it/s]", ToolProgress{Cells: 1, Requests: 200}, true},
		{&vllm, " 45%|████▌     | 90/200 [05:33<06:34,  3.34s/it]", ToolProgress{Cells: 1, Done: 90, Requests: 200}, true},
		{&vllm, "| tiny | pp1024 (c1) | 1/2 [x] |", ToolProgress{Cells: 1, Done: 90, Requests: 200}, false},
		{&vllm, "Loading checkpoint shards: 45%|████▌| 9/20 [00:01<00:01]", ToolProgress{Cells: 1, Done: 90, Requests: 200}, false},
	} {
		if seen := c.at.Update(c.line); seen != c.seen || *c.at != c.want {
			t.Errorf("%q: %t %+v, want %t %+v", c.line, seen, *c.at, c.seen, c.want)
		}
	}
}
