export const layout = (body: string, user?: string) =>
  `<!doctype html><header>${user ? `Hello ${user}` : "Sign in"}</header><main>${body}</main>`;
