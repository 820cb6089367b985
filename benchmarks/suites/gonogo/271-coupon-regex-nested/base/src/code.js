const CODE = /^[A-Z0-9]{8,16}$/;

exports.valid = (code) => CODE.test(code);
