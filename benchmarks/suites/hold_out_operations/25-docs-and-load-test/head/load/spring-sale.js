import http from "k6/http";

export const options = {
  scenarios: {
    sale: { executor: "ramping-arrival-rate", startRate: 50, timeUnit: "1s", preAllocatedVUs: 800, stages: [{ target: 4000, duration: "10m" }] },
  },
};

export default function () {
  http.post("https://vouchers.staging.tidewater.example/redeem", JSON.stringify({ cents: 995 }), { timeout: "2s" });
}
