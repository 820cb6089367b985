export const price = (kg: number, km: number): number => Math.round(900 + kg * 3 + km * 11);
