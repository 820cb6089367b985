export const STATES = ["open", "closed"] as const;
