exports.subject = (e) => `Your invoice ${e.number}`;
