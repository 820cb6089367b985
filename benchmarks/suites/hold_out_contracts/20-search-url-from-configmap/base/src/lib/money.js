export function format(minor, currency) {
  const major = minor / 100;
  return major.toFixed(2) + " " + currency;
}
