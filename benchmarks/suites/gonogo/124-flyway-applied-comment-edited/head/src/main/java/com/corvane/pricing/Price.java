package com.corvane.pricing;

public record Price(long id, long cents, String currency) {
}
