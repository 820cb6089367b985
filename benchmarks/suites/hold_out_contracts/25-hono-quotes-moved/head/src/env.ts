export type Env = { Bindings: { QUOTES: KVNamespace } };
