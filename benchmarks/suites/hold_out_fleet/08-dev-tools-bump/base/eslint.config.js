export default [{ rules: { semi: "error" } }];
