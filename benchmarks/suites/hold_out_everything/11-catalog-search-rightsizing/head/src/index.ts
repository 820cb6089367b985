import MiniSearch from "minisearch";
import { loadProducts } from "./load";

export const index = new MiniSearch({ fields: ["title", "description"], storeFields: ["title", "price"] });

export async function refresh(): Promise<void> {
  const products = await loadProducts();
  index.removeAll();
  index.addAll(products);
}
