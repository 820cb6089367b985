package main

import "context"

type message struct {
	ID       string
	Receives int
}

func receive(context.Context) []message          { return nil }
func remove(context.Context, message)            {}
func charge(context.Context, message) error      { return nil }
