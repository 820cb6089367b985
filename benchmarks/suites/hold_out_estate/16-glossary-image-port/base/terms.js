const terms = new Map([["calque", "loan translation"]]);

exports.lookup = (term) => ({ term, meaning: terms.get(term) ?? null });
