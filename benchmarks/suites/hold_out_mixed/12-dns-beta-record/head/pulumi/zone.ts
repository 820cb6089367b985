export const zoneId = "Z08NORTHBAY";
