export const cents = (n: number): string => (n / 100).toFixed(2);
