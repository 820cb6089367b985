"""Several Compose files that are one project, and the names that its services go by."""

from context_graph.testing_manifests import edges_of, kinds_of

LAYERS = {
    ".env": "GRAPHS_HOST=graphs\nMAIL=mail:25\n",
    "compose.yaml": "services:\n  web:\n    image: web\n    environment: [GRAPHS_HOST, 'DB=postgres://main-db/x', 'QUEUE=amqp://bus.inner']\n"
    "    volumes: ['data:/data', './src:/src']\n"
    "  db: {image: postgres, container_name: main-db}\n  queue: {image: rabbit, networks: {inner: {aliases: [bus.inner]}}}\nvolumes: {data: }\n",
    "compose.watch.yaml": "services:\n  graphs: {image: grafana, environment: [MAIL], depends_on: [db]}\n"
    "  web: {volumes: ['more:/more'], depends_on: [graphs]}\nvolumes: {more: }\n",
    "compose.mail.yaml": "services:\n  mail: {image: mail}\n  talk: {image: talk, depends_on: [graphs]}\n",
    "compose.override.yaml": "services:\n  db: {image: postgres:16, volumes: ['data:/var']}\nvolumes: {data: }\n",
}  # fmt: skip


def test_a_service_is_found_in_whichever_file_of_the_project_it_stands() -> None:
    assert edges_of(LAYERS) == {
        ("services.web", "connects_to", "services.graphs"),
        ("services.web", "connects_to", "services.db"),
        ("services.web", "connects_to", "services.queue"),
        ("services.web", "depends_on", "services.graphs"),
        ("services.web", "depends_on", "volumes.data"),
        ("services.web", "depends_on", "volumes.more"),
        ("services.db", "depends_on", "volumes.data"),
        ("services.graphs", "connects_to", "services.mail"),
        ("services.graphs", "depends_on", "services.db"),
        ("services.talk", "depends_on", "services.graphs"),
    }


def test_what_an_override_names_again_is_no_second_volume() -> None:
    assert [kind for address, kind in sorted(kinds_of(LAYERS)) if address == "volumes.data"] == ["compose.volume"]
    assert len([a for a, _ in kinds_of(LAYERS) if a.startswith("services.")]) == 6


def test_files_without_a_base_beside_them_are_projects_of_their_own() -> None:
    found = edges_of(
        {
            "ci/docker-compose.a.yml": "services:\n  web: {image: web, environment: {HOST: 'db:1'}}\n",
            "ci/docker-compose.b.yml": "services:\n  db: {image: db}\n",
        }
    )

    assert found == set()


def test_an_included_file_belongs_to_the_project() -> None:
    found = edges_of(
        {
            "app/compose.yaml": "include:\n  - ../web/compose.yaml\n  - path: [../cart/compose.yaml]\n",
            "app/compose.override.yaml": "services:\n  web: {environment: ['CARTS=http://carts:80'], depends_on: [cart]}\n",
            "web/compose.yaml": "services:\n  web: {build: .}\n",
            "cart/compose.yaml": "services:\n  cart: {build: ., hostname: carts, environment: [HOST=carts]}\n",
        }
    )

    assert found == {("services.web", "connects_to", "services.cart"), ("services.web", "depends_on", "services.cart")}


def test_variables_of_an_env_file_and_aliases_of_links_name_services() -> None:
    found = edges_of(
        {
            "compose.yaml": "services:\n  web:\n    image: web\n    env_file: [web.env, {path: conf/more.env}, ../out.env]\n"
            "    links: ['db:database']\n  db: {image: db}\n  cache: {image: redis}\n  bus: {image: bus}\n",
            "web.env": "DATABASE_URL=postgres://database:5432/x\nDB_USER=bus\n",
            "conf/more.env": "CACHE=redis://cache\n",
        }
    )

    assert found == {
        ("services.web", "connects_to", "services.db"),
        ("services.web", "depends_on", "services.db"),
        ("services.web", "connects_to", "services.cache"),
    }
