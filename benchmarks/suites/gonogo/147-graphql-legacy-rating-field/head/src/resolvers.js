import { byId, list } from "./store.js";

export const resolvers = {
  Query: {
    recipe: (_, { id }) => byId(id),
    recipes: (_, { first }) => list(first),
  },
};
