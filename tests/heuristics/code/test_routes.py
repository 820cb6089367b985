"""The full set of routes of a tree, in every framework, and what a change does to it."""

import pytest

from context_graph.testing import MemoryTree
from heuristics.code import (
    Route,
    client_calls,
    conditional_routes,
    covers,
    narrowed_routes,
    removed_routes,
    route_callers,
    routes,
)

FRAMEWORKS = {
    "fastapi": (
        {
            "app/main.py": "from fastapi import FastAPI\nfrom app.api import users\nfrom .api.admin import router as admin_router\napp = FastAPI()\n"
            "app.include_router(users.router, prefix='/api')\napp.include_router(admin_router, prefix='/admin')\n@app.get('/health')\ndef h(): ...\n",
            "app/api/users.py": "router = APIRouter(prefix='/users')\n@router.get('/{user_id}')\nasync def g(user_id: int): ...\n@router.post('')\ndef p(): ...\n",
            "app/api/admin.py": "router = APIRouter()\n@router.delete('/x')\ndef d(): ...\n",
        },
        {"GET /health", "GET /api/users/{}", "POST /api/users", "DELETE /admin/x"},
    ),
    "flask": (
        {"a.py": "bp = Blueprint('x', __name__, url_prefix='/v1')\n@bp.route('/a/<int:id>/', methods=['GET', 'POST'])\ndef a(id): ...\napp = Flask(__name__)\napp.register_blueprint(bp, url_prefix='/api')\n"},
        {"GET /api/v1/a/{}/", "POST /api/v1/a/{}/"},
    ),
    "django": (
        {"urls.py": "router = DefaultRouter()\nrouter.register(r'books', BookViewSet)\nurlpatterns = [path('api/', include(router.urls)), re_path(r'^x/(?P<pk>\\d+)/$', XView.as_view())]\n",
         "views.py": "class BookViewSet(ReadOnlyModelViewSet): pass\nclass XView(RetrieveUpdateAPIView): pass\n"},
        {"GET /api/books/", "GET /api/books/{}/", "GET /x/{}/", "PUT /x/{}/", "PATCH /x/{}/"},
    ),
    "starlette": ({"a.py": "routes = [Mount('/api', routes=[Route('/x/{id:int}', f, methods=['GET', 'PUT'])])]\n"}, {"GET /api/x/{}", "PUT /api/x/{}"}),
    "express": (
        {"src/app.js": "const express = require('express');\nconst users = require('./routes/users');\nconst app = express();\napp.use('/api/users', auth, users);\napp.get('/h', (req, res) => res.send(1));\naxios.get('/nope', { a: 1 });\n",
         "src/routes/users.js": "const router = require('express').Router();\nrouter.get('/:id', h);\nmodule.exports = router;\n"},
        {"GET /h", "GET /api/users/{}"},
    ),
    "fastify": (
        {"app.ts": "import users from './users';\nconst app = Fastify();\napp.register(users, { prefix: '/users' });\napp.post('/basket', (req) => add(req.body));\napp.route({ method: 'GET', url: '/z', handler: h });",
         "users.ts": "export default async function (fastify, opts) {\n fastify.get('/:id', { schema: {} }, async (r) => 1);\n}\n"},
        {"POST /basket", "GET /z", "GET /users/{}"},
    ),
    "hono": ({"a.ts": "const app = new Hono().basePath('/api');\napp.get('/x/:id', (c) => c.json(1));\nconst sub = new Hono();\nsub.post('/y', h);\napp.route('/sub', sub);\n"}, {"GET /api/x/{}", "POST /api/sub/y"}),
    "worker": (
        {"src/index.ts": 'export default { async fetch(req: Request, env: Env): Promise<Response> {\n const url = new URL(req.url);\n if (req.method === "POST" && url.pathname === "/orders") return submit(req, env);\n return new Response("x");\n} };'},
        {"POST /orders"},
    ),
    "next": (
        {"app/(shop)/api/[id]/route.ts": "export const GET = async () => {};\nexport async function POST() {}", "src/app/blog/[...slug]/page.tsx": "export default function P() {}", "pages/api/x/[id].ts": "export default function h(req, res) { if (req.method === 'POST') {} }"},
        {"GET /api/{}", "POST /api/{}", "GET /blog/{*}", "POST /api/x/{}"},
    ),
    "nestjs": (
        {"c.ts": '@Controller("users")\nexport class U { @Get(":id") one() {} @Post() make() {} }\n', "main.ts": 'app.setGlobalPrefix("api")\n'},
        {"GET /api/users/{}", "POST /api/users"},
    ),
    "chi, gin, gorilla": (
        {"m.go": 'package m\nfunc main() {\n r := chi.NewRouter()\n r.Route("/api", func(r chi.Router) {\n  r.Get("/x/{id}", h)\n  r.Mount("/admin", adminRouter())\n })\n v1 := r.Group("/v1")\n v1.GET("/g/:id", h)\n RegisterUsers(v1)\n s := r.PathPrefix("/p").Subrouter()\n s.HandleFunc("/q", h).Methods("GET", "POST")\n}\n',
         "u.go": 'package m\nfunc RegisterUsers(r *gin.RouterGroup) { r.POST("/users", h) }\nfunc adminRouter() http.Handler { r := chi.NewRouter(); r.Get("/z", h); return r }\n'},
        {"GET /api/x/{}", "GET /api/admin/z", "GET /v1/g/{}", "POST /v1/users", "GET /p/q", "POST /p/q"},
    ),
    "net/http": ({"m.go": 'package m\nfunc main() { mux.HandleFunc("POST /upload", h); http.HandleFunc("/static/", f) }\n'}, {"POST /upload", "ANY /static/{*}"}),
    "rails": (
        {"config/routes.rb": "Rails.application.routes.draw do\n root 'x#y'\n namespace :api do\n  resources :books, only: [:index, :show] do\n   member do\n    post :publish\n   end\n   resources :pages, only: %i[index]\n  end\n  get 'z', to: 'q#w'\n end\n resource :profile, only: [:show]\n post '/webhooks/pay' => 'w#p'\nend\n"},
        {"GET /", "GET /api/books", "GET /api/books/{}", "POST /api/books/{}/publish", "GET /api/books/{}/pages", "GET /api/z", "GET /profile", "POST /webhooks/pay"},
    ),
    "sinatra": ({"app.rb": "require 'sinatra/base'\nclass A < Sinatra::Base\n get '/x/:id' do\n  1\n end\nend\n"}, {"GET /x/{}"}),
    "spring": (
        {"A.kt": '@RestController\n@RequestMapping("/v1")\nclass A {\n @GetMapping("/x/{id}")\n fun g(): X = x\n @PostMapping\n fun p(@RequestBody b: In) {}\n}\n',
         "B.java": '@RestController class B { @RequestMapping(value = "/r", method = RequestMethod.PUT) void r() {} }', "C.java": '@FeignClient("x") interface C { @GetMapping("/no") X x(); }'},
        {"GET /v1/x/{}", "POST /v1", "PUT /r"},
    ),
    "laravel": (
        {"routes/api.php": "<?php Route::prefix('v1')->middleware('auth')->group(function () { Route::get('/a/{id}', [A::class, 'x']); Route::resource('p', P::class)->only(['index']); });"},
        {"GET /api/v1/a/{}", "GET /api/v1/p"},
    ),
    "aspnet": (
        {"A.cs": '[ApiController]\n[Route("api/[controller]")]\nclass OrdersController : ControllerBase {\n [HttpGet("{id}")]\n public X Get(int id) => x;\n}\n', "P.cs": 'var g = app.MapGroup("/m"); g.MapGet("/x/{id}", () => 1);'},
        {"GET /api/orders/{}", "GET /m/x/{}"},
    ),
    "contracts": (
        {"openapi.yaml": "openapi: 3.0.0\nservers:\n- url: https://x.y/api\npaths:\n  /a/{id}:\n    get:\n      summary: x\n",
         "serverless.yml": "functions:\n  a:\n    events:\n    - http: POST /x\n    - httpApi:\n        path: /y\n        method: get\n",
         "a.proto": "package p.v1;\nservice S {\n rpc Get (A) returns (B);\n}\n",
         "s.graphql": "type Query {\n  orders(first: Int!, after: String): [Order!]!\n}\n"},
        {"GET /api/a/{}", "POST /x", "GET /y", "POST grpc:/p.v1.S/Get", "QUERY graphql:Query.orders"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("framework", sorted(FRAMEWORKS))
def test_every_route_is_found_with_its_prefixes(framework: str) -> None:
    files, expected = FRAMEWORKS[framework]

    assert {f"{r.method} {r.path}" for r in routes(MemoryTree(files, side="head"))} == expected


def test_a_route_has_the_line_it_stands_on() -> None:
    (route,) = routes(MemoryTree({"a.py": "import x\n\n\n@app.get('/a')\ndef a(): ...\n"}, side="head"))

    assert (route.file, route.line) == ("a.py", 4)


def both(base: dict[str, str], head: dict[str, str]) -> tuple[MemoryTree, MemoryTree]:
    return MemoryTree(base, side="base"), MemoryTree(head, side="head")


def test_a_route_that_moved_to_another_file_is_not_removed() -> None:
    code = "@app.get('/a')\ndef a(): ...\n"

    assert removed_routes(*both({"a.py": code}, {"b.py": code})) == ()


def test_a_router_that_is_no_longer_included_is_removed() -> None:
    router = "router = APIRouter()\n@router.get('/x')\ndef d(): ...\n"
    base = "from fastapi import FastAPI\nimport api\napp = FastAPI()\napp.include_router(api.router)\n"
    head = base.replace("app.include_router(api.router)\n", "")

    gone = removed_routes(*both({"main.py": base, "api.py": router}, {"main.py": head, "api.py": router}), ["main.py"])

    assert [(r.method, r.path, r.file, r.line) for r in gone] == [("GET", "/x", "api.py", 2)]


def test_changes_of_text_only_cost_nothing() -> None:
    assert removed_routes(*both({"a.py": "@app.get('/a')\ndef a(): ...\n"}, {}), ["README.md"]) == ()


def test_a_route_behind_a_flag_is_conditional_and_not_removed() -> None:
    base, head = both({"r.js": 'app.get("/a", h)'}, {"r.js": 'if (flags.a) app.get("/a", h)'})

    assert removed_routes(base, head) == ()
    assert [r.path for r in conditional_routes(base, head)] == ["/a"]


NARROWER = [
    ("q: str = None", "q: str", "now required", "q"),
    ("", "q: int", "new required", "q"),
    ("q: str | int", "q: int", "stricter type", "q"),
    ("", "user = Depends(get_current_user)", "auth added", "user"),
]


@pytest.mark.parametrize(("before", "after", "how", "name"), NARROWER)
def test_a_route_that_asks_for_more_is_narrowed(before: str, after: str, how: str, name: str) -> None:
    code = "from fastapi import FastAPI\napp = FastAPI()\n@app.get('/a')\ndef a({}): ...\n"

    (found,) = narrowed_routes(*both({"a.py": code.format(before)}, {"a.py": code.format(after)}))

    assert (found.how, found.name, found.head.line if found.head else None) == (how, name, 4)


def test_a_field_that_goes_from_a_response_model_is_narrowing_wherever_the_model_stands() -> None:
    app = "from fastapi import FastAPI\nfrom m import Out\napp = FastAPI()\n@app.get('/a', response_model=Out)\ndef a(): ...\n"
    base, head = ("class Out(BaseModel):\n    a: int\n    b: int\n", "class Out(BaseModel):\n    a: int\n")

    (found,) = narrowed_routes(*both({"a.py": app, "m.py": base}, {"a.py": app, "m.py": head}))

    assert (found.how, found.name, found.base.file, found.base.line) == ("removed from response", "b", "m.py", 3)


def test_a_new_field_with_a_default_narrows_nothing() -> None:
    app = "from fastapi import FastAPI\napp = FastAPI()\nclass In(BaseModel):\n    a: int\n{}@app.post('/a')\ndef a(body: In): ...\n"

    assert narrowed_routes(*both({"a.py": app.format("")}, {"a.py": app.format("    b: int = 0\n")})) == ()


CALLERS = [
    ("web/a.ts", "fetch(`/internal/price/${sku}`)", True),
    ("web/a.ts", "axios.get('/internal/price/3')", True),
    ("web/a.ts", "axios.post('/internal/price/3')", False),
    ("a.py", 'httpx.get(f"{PRICE}/internal/price/{sku}")', True),
    ("a.py", 'requests.get(PRICE + "/internal/price/" + sku)', True),
    ("m.go", 'package m\nvar x, _ = http.Get("https://price.example/internal/price/" + sku)', True),
    ("a.html", '<a href="/internal/price/3">x</a>', True),
    ("a.py", 'httpx.get(f"{PRICE}/internal/prices")', False),
    ("tests/test_a.py", 'httpx.get("/internal/price/3")', False),
]


@pytest.mark.parametrize(("path", "text", "calls"), CALLERS)
def test_a_caller_is_client_code_whose_path_matches(path: str, text: str, calls: bool) -> None:
    found = route_callers(MemoryTree({path: text}, side="head"), Route("GET", "/internal/price/{}", "svc/routes.py", 1))

    assert bool(found) == calls


def test_the_declaration_of_a_route_does_not_call_it() -> None:
    assert client_calls("a.py", "@app.get('/a/b')\ndef a(): ...\n") == ()


@pytest.mark.parametrize(
    ("wide", "path", "expected"),
    [
        ("/a/{}", "/a/b", True),
        ("/a/{*}", "/a/b/c", True),
        ("/a/b", "/a/{}", False),
        ("/a/{}", "/a/b/c", False),
        ("/a/{}", "/a/b/", False),
        ("/{*}", "/", True),
    ],
)
def test_a_wider_pattern_covers_a_narrower_one(wide: str, path: str, expected: bool) -> None:
    assert covers(wide, path) == expected
