const CODE = /^([A-Z0-9]+-?)+$/;

exports.valid = (code) => CODE.test(code);
