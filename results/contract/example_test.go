package contract_test

import (
	"fmt"

	"example.org/arena/results/contract"
)

func ExampleCommand_Shell() {
	c, err := contract.Parse("small.toml", []byte(small))
	if err != nil {
		fmt.Println(err)
		return
	}
	chat, _ := c.Test("chat")
	for _, command := range c.Commands(chat, contract.Names{ServedName: "it's mine"}) {
		fmt.Println(command.Shell())
	}
	// Output:
	// uvx llama-benchy==0.4.0 \
	//   --base-url http://localhost:8000/v1 \
	//   --model 'it'\''s mine' \
	//   --pp 1024 \
	//   --tg 1024 \
	//   --depth 0 \
	//   --concurrency 1 5 \
	//   --runs 3 \
	//   --latency-mode generation \
	//   --format md
}

func ExampleContract_Deviations() {
	c, err := contract.Parse("small.toml", []byte(small))
	if err != nil {
		fmt.Println(err)
		return
	}
	argv, err := contract.SplitCommand("uvx llama-benchy==0.4.0 --model m --base-url http://localhost:8000/v1 --runs 5 --pp 1024 --tg 1024 --depth 0 --concurrency 1 5 --latency-mode generation --format md --exit-on-first-fail")
	if err != nil {
		fmt.Println(err)
		return
	}
	chat, _ := c.Test("chat")
	for _, d := range c.Deviations(chat, argv) {
		fmt.Printf("%s %s: contract %q, recorded %q\n", d.Kind, d.Parameter, d.Contract, d.Recorded)
	}
	// Output:
	// changed --runs: contract "3", recorded "5"
	// extra --exit-on-first-fail: contract "", recorded ""
}
