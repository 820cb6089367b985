export const round = (cents) => Math.round(cents / 5) * 5;
