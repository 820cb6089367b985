export function format(minor, currency) {
  return `${(minor / 100).toFixed(2)} ${currency}`;
}
