import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";
import { readFileSync } from "node:fs";
import { Order } from "./resolvers/order";
import { Query } from "./resolvers/query";

const server = new ApolloServer({ typeDefs: readFileSync("src/schema.graphql", "utf8"), resolvers: { Query, Order } });
startStandaloneServer(server, { listen: { port: 4000 } });
