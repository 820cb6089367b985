import { expect, test } from "vitest";

test("item keeps the device", () => {
  expect({ deviceId: "d1", ...{ target: 21 } }).toEqual({ deviceId: "d1", target: 21 });
});
