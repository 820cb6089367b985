exports.variant = async (visitor) => {
  const res = await fetch(`https://flags.vendor.example/v2/assign?visitor=${encodeURIComponent(visitor)}`);
  return (await res.json()).variant;
};
