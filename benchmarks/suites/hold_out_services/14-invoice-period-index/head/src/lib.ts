export const previousPeriod = (d: Date) => new Date(Date.UTC(d.getUTCFullYear(), d.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);

export const clinics = async (): Promise<number[]> => (await fetch(`${process.env.DIRECTORY_URL}/clinics`)).json();

export const send = (clinicId: number, period: string, body: unknown) =>
  fetch(`${process.env.DIRECTORY_URL}/clinics/${clinicId}/statements/${period}`, { method: "PUT", body: JSON.stringify(body) });
