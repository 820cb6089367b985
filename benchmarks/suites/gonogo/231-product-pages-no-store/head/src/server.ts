import express from "express";
import { product } from "./product";

const app = express();
app.get("/p/:sku", product);
app.listen(8080);
