export const RECIPE = `query Recipe($id: ID!) { recipe(id: $id) { id title rating } }`;
export const RECIPES = `query Recipes { recipes(first: 20) { id title } }`;
