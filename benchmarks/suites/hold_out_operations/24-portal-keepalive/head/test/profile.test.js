import test from "node:test";
import { profile } from "../src/profile.js";

test("profile", () => profile({ params: { id: 1 } }, { json() {} }));
