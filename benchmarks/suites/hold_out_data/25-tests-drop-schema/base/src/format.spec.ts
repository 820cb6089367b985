import { cents } from "./format";

test("cents", () => expect(cents(1250)).toBe("12.50"));
