exports.locate = async (address) => {
  const res = await fetch(`${process.env.GEOCODER_URL}?q=${encodeURIComponent(address.text)}`);
  return res.json();
};
