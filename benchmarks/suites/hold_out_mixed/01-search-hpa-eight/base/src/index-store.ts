export const index = {
  rank(terms: string[]): { id: string; score: number }[] {
    return terms.map((t, i) => ({ id: t, score: 1 / (i + 1) }));
  },
};
