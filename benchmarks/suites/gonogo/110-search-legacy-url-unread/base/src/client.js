exports.search = async (q) => {
  const res = await fetch(`${process.env.SEARCH_URL}/q?text=${encodeURIComponent(q)}&size=${process.env.PAGE}`);
  return res.json();
};
