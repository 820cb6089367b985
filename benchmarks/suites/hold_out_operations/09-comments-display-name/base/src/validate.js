const NAME = /^[\p{L}\d '_-]+$/u;

export function validName(name) {
  return typeof name === "string" && name.length >= 2 && name.length <= 64 && NAME.test(name);
}
