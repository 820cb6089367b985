const rows = new Map();

exports.near = async () => [...rows.values()];
exports.get = async (id) => rows.get(id);
exports.remove = async (id) => rows.delete(id);
