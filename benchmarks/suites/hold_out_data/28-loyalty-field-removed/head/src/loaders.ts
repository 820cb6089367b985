export interface Loaders {
  addresses: { load(id: string): Promise<unknown[]> };
}
