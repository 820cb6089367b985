import { Router } from "express";
import { profile } from "./profile.js";

export const routes = Router();
routes.get("/healthz", (_req, res) => res.send("ok"));
routes.get("/profile/:id", profile);
