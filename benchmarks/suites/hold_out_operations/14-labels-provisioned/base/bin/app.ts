import { App } from "aws-cdk-lib";
import { EventsStack } from "../lib/events-stack";

const app = new App();
new EventsStack(app, "EventsStack", { env: { region: "us-west-2", account: "604417720093" } });
