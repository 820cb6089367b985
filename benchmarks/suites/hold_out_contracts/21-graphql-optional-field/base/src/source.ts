export type Venue = { id: string; name: string; doors?: string; steps?: number };

const api = process.env.VENUES_URL ?? "http://venues.internal";

export const byId = async (id: string): Promise<Venue> => (await fetch(`${api}/venues/${id}`)).json();
export const byCity = async (city: string): Promise<Venue[]> => (await fetch(`${api}/venues?city=${encodeURIComponent(city)}`)).json();
