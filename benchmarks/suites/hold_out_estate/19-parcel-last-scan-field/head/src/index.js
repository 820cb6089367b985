import { readFileSync } from "node:fs";
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { resolvers } from "./resolvers.js";

const typeDefs = readFileSync("schema/parcel.graphql", "utf8");
await startStandaloneServer(new ApolloServer({ typeDefs, resolvers }), { listen: { port: 4000 } });
