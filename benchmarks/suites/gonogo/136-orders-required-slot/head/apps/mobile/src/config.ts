export const BASE = "https://api.sedge.example";
