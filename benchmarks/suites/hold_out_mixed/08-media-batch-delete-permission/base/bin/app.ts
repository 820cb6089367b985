import { App } from "aws-cdk-lib";
import { AccessStack } from "../lib/access-stack";

new AccessStack(new App(), "access");
