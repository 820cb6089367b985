const { subject } = require("../src/text");

test("subject", () => expect(subject({ number: 7 })).toBe("Your invoice 7"));
