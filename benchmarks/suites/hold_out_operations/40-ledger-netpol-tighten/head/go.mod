module copperline.example/ledger

go 1.22
