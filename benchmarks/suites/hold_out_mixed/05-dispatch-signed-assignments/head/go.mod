module github.com/fieldgrid/dispatch

go 1.22
