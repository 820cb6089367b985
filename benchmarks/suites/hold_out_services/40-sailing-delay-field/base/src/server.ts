import { readFileSync } from "node:fs";
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { resolvers } from "./resolvers";
import { context } from "./context";

export type Ctx = Awaited<ReturnType<typeof context>>;

const server = new ApolloServer<Ctx>({ typeDefs: readFileSync("schema.graphql", "utf8"), resolvers });
void startStandaloneServer(server, { context, listen: { port: 4000 } });
