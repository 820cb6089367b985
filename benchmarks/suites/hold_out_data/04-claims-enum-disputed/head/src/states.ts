export const STATES = ["open", "closed", "disputed"] as const;
