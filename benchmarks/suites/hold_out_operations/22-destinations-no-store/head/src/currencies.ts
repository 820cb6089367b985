export const CURRENCIES = ["EUR", "USD", "GBP", "CHF"];
