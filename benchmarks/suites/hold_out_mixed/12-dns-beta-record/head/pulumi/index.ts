import * as aws from "@pulumi/aws";

import { zoneId } from "./zone";

export const api = new aws.route53.Record("api", {
  zoneId,
  name: "api.northbay.example",
  type: "CNAME",
  ttl: 300,
  records: ["public-alb-7f02aa.eu-west-1.elb.amazonaws.com"],
});

export const mx = new aws.route53.Record("mx", {
  zoneId,
  name: "northbay.example",
  type: "MX",
  ttl: 3600,
  records: ["10 in.mailbird.example"],
});
