import { Hono } from "hono";
import type { Env } from "../env";
import { quotes } from "./quotes";

export const v2 = new Hono<Env>().route("/quotes", quotes);
