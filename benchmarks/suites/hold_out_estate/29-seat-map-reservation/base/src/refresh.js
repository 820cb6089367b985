import { load } from "./store.js";

export const run = async () => load("featured");
