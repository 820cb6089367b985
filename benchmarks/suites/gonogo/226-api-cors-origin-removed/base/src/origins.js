exports.origins = [
  "https://www.leafcart.example",
  "https://beta.leafcart.example",
  "https://till.leafcart.example",
];
