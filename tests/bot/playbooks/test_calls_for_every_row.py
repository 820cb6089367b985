"""One more call for every row of a list, made through a client that stands in a file of its own, in nine languages."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

GO = {
    "cmd/main.go": 'package main\n\nimport (\n\t"net/http"\n\t"acme.example/shop/internal/orders"\n)\n\nfunc main() {\n\th := orders.New()\n\tmux := http.NewServeMux()\n\tmux.HandleFunc("GET /orders", h.List)\n\thttp.ListenAndServe(":8080", mux)\n}\n',
    "internal/orders/handler.go": 'package orders\n\nimport "acme.example/shop/internal/suppliers"\n\ntype Handler struct {\n\tSuppliers *suppliers.Client\n}\n',
    "internal/suppliers/client.go": 'package suppliers\n\nimport "net/http"\n\ntype Client struct{ base string }\n\nfunc (c *Client) Name(id string) string {\n\tres, _ := http.Get(c.base + "/suppliers/" + id)\n\treturn read(res)\n}\n',
    "internal/orders/list.go": 'package orders\n\nimport "net/http"\n\nconst pageSize = 50\n\nfunc (h Handler) List(w http.ResponseWriter, r *http.Request) {\n\trows := h.Store.Recent(pageSize)\n<more>\tlog.Info("list orders", "n", len(rows))\n\twrite(w, rows)\n}\n',
}
GO_LOOP = "\tfor i := range rows {\n\t\trows[i].Supplier = h.Suppliers.Name(rows[i].SupplierID)\n\t}\n"
TYPESCRIPT = {
    "src/suppliers/suppliers.service.ts": 'import axios from "axios";\n\nexport class SuppliersService {\n  async name(id: string) {\n    return (await axios.get(`http://suppliers/suppliers/${id}`)).data;\n  }\n}\n',
    "src/orders/orders.controller.ts": 'import { Controller, Get } from "@nestjs/common";\nimport { SuppliersService } from "../suppliers/suppliers.service";\n\n@Controller("orders")\nexport class OrdersController {\n  constructor(private readonly suppliers: SuppliersService) {}\n\n  @Get()\n  async list() {\n    const rows = await this.store.recent({ limit: 50 });\n<more>    return rows;\n  }\n}\n',
}
TYPESCRIPT_LOOP = "    for (const row of rows) {\n      row.supplier = await this.suppliers.name(row.supplierId);\n    }\n"
PYTHON = {
    "app/suppliers.py": 'import httpx\n\n\nclass Suppliers:\n    def name(self, id):\n        return httpx.get(f"http://suppliers/suppliers/{id}").json()["name"]\n',
    "app/main.py": 'from fastapi import FastAPI\n\nfrom app.store import recent\nfrom app.suppliers import Suppliers\n\napp = FastAPI()\nsuppliers = Suppliers()\n\n\n@app.get("/orders")\ndef list_orders():\n    rows = recent(limit=50)\n<more>    return rows\n',
}
PYTHON_LOOP = '    for row in rows:\n        row["supplier"] = suppliers.name(row["supplier_id"])\n'
JAVA = {
    "src/main/java/a/SuppliersClient.java": 'package a;\n\nclass SuppliersClient {\n  private final RestTemplate rest = new RestTemplate();\n  String name(String id) {\n    return rest.getForObject("http://suppliers/suppliers/" + id, String.class);\n  }\n}\n',
    "src/main/java/a/OrdersController.java": 'package a;\n\n@RestController\nclass OrdersController {\n  private final SuppliersClient suppliers;\n\n  @GetMapping("/orders")\n  List<Order> list() {\n    List<Order> rows = store.recent(PageRequest.of(0, 50));\n<more>    return rows;\n  }\n}\n',
}
JAVA_LOOP = "    for (Order row : rows) {\n      row.setSupplier(suppliers.name(row.getSupplierId()));\n    }\n"
RUBY = {
    "config/routes.rb": "Rails.application.routes.draw do\n  resources :orders, only: [:index]\nend\n",
    "app/services/suppliers_client.rb": 'class SuppliersClient\n  def self.fetch_name(id)\n    Faraday.get("http://suppliers/suppliers/#{id}").body\n  end\nend\n',
    "app/controllers/orders_controller.rb": "class OrdersController < ApplicationController\n  def index\n    rows = Store.recent.limit(50)\n<more>    render json: rows\n  end\nend\n",
}
RUBY_LOOP = "    rows.each do |row|\n      row.supplier = SuppliersClient.fetch_name(row.supplier_id)\n    end\n"
JAVASCRIPT = {
    "src/clients/suppliers.js": "export async function supplierName(id) {\n  const res = await fetch(`http://suppliers/suppliers/${id}`);\n  return res.json();\n}\n",
    "src/server.js": 'import express from "express";\nimport { list } from "./orders.js";\n\nexport function make() {\n  const app = express();\n  app.get("/orders", list);\n  return app;\n}\n',
    "src/orders.js": 'import { supplierName } from "./clients/suppliers.js";\nimport { recent } from "./store.js";\n\nexport async function list(req, res) {\n  const rows = await recent({ limit: 50 });\n<more>  res.json(rows);\n}\n',
}
JAVASCRIPT_LOOP = "  await Promise.all(rows.map(async (row) => { row.supplier = await supplierName(row.supplierId); }));\n"
CSHARP = {
    "SuppliersClient.cs": 'class SuppliersClient {\n  private readonly HttpClient http;\n  public async Task<string> NameAsync(string id) {\n    return await http.GetStringAsync("http://suppliers/suppliers/" + id);\n  }\n}\n',
    "OrdersController.cs": '[ApiController]\n[Route("orders")]\nclass OrdersController : ControllerBase {\n  private readonly SuppliersClient suppliers;\n\n  [HttpGet]\n  public async Task<List<Order>> List() {\n    var rows = await store.Orders.Take(50).ToListAsync();\n<more>    return rows;\n  }\n}\n',
}
CSHARP_LOOP = "    foreach (var row in rows) {\n      row.Supplier = await suppliers.NameAsync(row.SupplierId);\n    }\n"
PHP = {
    "routes/api.php": "<?php\nRoute::get('/orders', [OrdersController::class, 'index']);\n",
    "app/Services/SuppliersClient.php": "<?php\nclass SuppliersClient {\n    public function fetchName($id) {\n        return Http::get(\"http://suppliers/suppliers/$id\")->json('name');\n    }\n}\n",
    "app/Http/Controllers/OrdersController.php": "<?php\nclass OrdersController extends Controller {\n    public function __construct(private SuppliersClient $suppliers) {}\n    public function index() {\n        $rows = Order::query()->limit(50)->get();\n<more>        return response()->json($rows);\n    }\n}\n",
}
PHP_LOOP = (
    "        foreach ($rows as $row) {\n            $row->supplier = $this->suppliers->fetchName($row->supplier_id);\n        }\n"
)
KOTLIN = {
    "src/main/kotlin/a/SuppliersClient.kt": 'package a\n\nclass SuppliersClient(private val rest: RestTemplate) {\n    fun name(id: String): String = rest.getForObject("http://suppliers/suppliers/$id", String::class.java)\n}\n',
    "src/main/kotlin/a/OrdersController.kt": 'package a\n\n@RestController\nclass OrdersController(private val suppliers: SuppliersClient) {\n    @GetMapping("/orders")\n    fun list(): List<Order> {\n        val rows = store.recent(PageRequest.of(0, 50))\n<more>        return rows\n    }\n}\n',
}
KOTLIN_LOOP = "        rows.forEach { row -> row.supplier = suppliers.name(row.supplierId) }\n"
FORMS = {
    "go": (GO, GO_LOOP), "typescript": (TYPESCRIPT, TYPESCRIPT_LOOP), "python": (PYTHON, PYTHON_LOOP), "java": (JAVA, JAVA_LOOP), "ruby": (RUBY, RUBY_LOOP),
    "javascript": (JAVASCRIPT, JAVASCRIPT_LOOP), "csharp": (CSHARP, CSHARP_LOOP), "php": (PHP, PHP_LOOP), "kotlin": (KOTLIN, KOTLIN_LOOP),
}  # fmt: skip


def told(files, loop, production):
    base, head = ({p: t.replace("<more>", part) for p, t in files.items()} for part in ("", loop))
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [(e.status.value, str(e.trajectory.resource)) for e in evaluation.ledger if e.trajectory.playbook == "added-call"]


def a_shop(*, rate=40.0, today=176.0, cpu=51.0):
    production = MemoryProduction("github:acme/shop")
    shop = production.resource("kubernetes:p/t/deployment/shop", "kubernetes.deployment", "shop", is_deployed=True, replicas=6)
    suppliers = production.resource("kubernetes:p/t/deployment/suppliers", "kubernetes.deployment", "suppliers", replicas=3)
    production.edge(shop, suppliers, "invokes")
    production.metric(shop, "http_requests_per_second{route=GET /orders}", "Count/Second", rate)
    production.metric(suppliers, "http_requests_per_second", "Count/Second", today)
    if cpu is not None:
        production.metric(suppliers, "cpu_utilization", "Percent", cpu)
    return production


@pytest.mark.parametrize(("files", "loop"), FORMS.values(), ids=FORMS)
def test_more_calls_than_the_other_service_can_take_are_a_no_go(files, loop) -> None:
    assert told(files, loop, a_shop()) == [("confirmed", "kubernetes:p/t/deployment/suppliers")]


@pytest.mark.parametrize(("files", "loop"), FORMS.values(), ids=FORMS)
def test_of_a_seldom_used_list_they_fit(files, loop) -> None:
    assert [status for status, _ in told(files, loop, a_shop(rate=0.05))] == ["refuted"]


@pytest.mark.parametrize(("files", "loop"), FORMS.values(), ids=FORMS)
def test_without_the_load_of_the_other_service_it_stays_a_question(files, loop) -> None:
    assert [status for status, _ in told(files, loop, a_shop(cpu=None))] == ["plausible"]


@pytest.mark.parametrize(("n", "answer"), [(50, "confirmed"), (1, "refuted")])
def test_how_many_rows_a_list_has_stands_in_the_log_of_its_handler(n, answer) -> None:
    production = a_shop(rate=40.0 if n == 50 else 2.0)
    for _ in range(30):
        production.log("kubernetes:p/t/deployment/shop", f"list orders n={n}")

    assert [status for status, _ in told(GO, GO_LOOP, production)] == [answer]
