exports.origins = [
  "https://www.leafcart.example",
  "https://till.leafcart.example",
];
