package com.corvane.invoices;

public record Invoice(long id, long customer, long cents) {
}
