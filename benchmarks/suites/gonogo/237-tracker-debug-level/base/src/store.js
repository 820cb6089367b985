exports.save = (item) => fetch(process.env.STORE_URL, { method: "POST", body: JSON.stringify(item) });
