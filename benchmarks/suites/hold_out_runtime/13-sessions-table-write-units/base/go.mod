module github.com/hexarena/sessions

go 1.22
