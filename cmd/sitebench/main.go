package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[2])
	if err := generate(os.Args[1], "results/bundles", n); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
