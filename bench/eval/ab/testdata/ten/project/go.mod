module ferry.example

go 1.26
