const rows = new Map();

export const byId = (id) => rows.get(id);
export const list = (n) => [...rows.values()].slice(0, n);
