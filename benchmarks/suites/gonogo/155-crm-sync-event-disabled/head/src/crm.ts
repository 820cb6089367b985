export const push = (contact: unknown) =>
  fetch(`${process.env.CRM_URL}/contacts`, { method: "PUT", body: JSON.stringify(contact) });
