import type { Status } from "@prisma/client";

export const label: Record<Status, string> = {
  TRIAL: "On trial",
  ACTIVE: "Active",
  CANCELLED: "Cancelled",
};
