import { cents } from "./format";

test("cents", () => expect(cents(1250)).toBe("12.50"));
test("zero", () => expect(cents(0)).toBe("0.00"));
