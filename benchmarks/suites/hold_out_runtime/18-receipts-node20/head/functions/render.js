exports.render = (paid) => `Thank you. Total ${paid.total}.`;
