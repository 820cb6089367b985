package main

import (
	"fmt"

	"example.org/brindle/fees/fees"
)

func main() { fmt.Println(fees.Of(12_000)) }
