module example.net/boxmoor/labels

go 1.22
