const base = process.env.TRACKING_URL ?? "http://tracking:8080";

export async function parcelByCode(code) {
  const res = await fetch(`${base}/parcels/${code}`);
  return res.ok ? res.json() : null;
}

export async function scansOf(code) {
  const res = await fetch(`${base}/parcels/${code}/scans`);
  return res.ok ? res.json() : [];
}
