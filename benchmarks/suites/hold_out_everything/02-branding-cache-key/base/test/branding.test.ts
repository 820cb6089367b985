test("placeholder", () => {
  expect(1).toBe(1);
});
