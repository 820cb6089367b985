import http from "k6/http";

export const options = { vus: 2, duration: "30s" };

export default function () {
  http.post("https://vouchers.staging.tidewater.example/redeem", "{}");
}
