import { ApolloServer } from "@apollo/server";
import { readFileSync } from "node:fs";
import { Customer } from "./resolvers/customer";

export const server = new ApolloServer({ typeDefs: readFileSync("schema/customer.graphql", "utf8"), resolvers: { Customer } });
