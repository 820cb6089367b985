export function subject(kind: string): string {
  return { welcome: "Welcome", reset: "Reset your password" }[kind] ?? "News from Lantern";
}
