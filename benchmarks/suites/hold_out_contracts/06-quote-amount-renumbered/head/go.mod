module github.com/roadquote/quotes

go 1.22

require google.golang.org/grpc v1.63.2
