module example.net/tidepool/quotes

go 1.22
