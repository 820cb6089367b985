package send

import (
	"io"
	"strings"
)

type Message struct{ URL, Text string }

func (m Message) Body() io.Reader { return strings.NewReader(m.Text) }

func receive(string) <-chan Message { return make(chan Message) }
