export const STATES = ["open", "closed", "snoozed"] as const;
