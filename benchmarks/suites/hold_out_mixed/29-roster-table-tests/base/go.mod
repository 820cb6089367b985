module github.com/fieldgrid/roster

go 1.22
