import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "added-call"]


def a_shop(*, rate=200.0, cpu=60.0, queries=3000.0):
    production = MemoryProduction("github:acme/shop")
    shop = production.resource("kubernetes:p/n/deployment/shop", "kubernetes.deployment", "shop", is_deployed=True)
    database = production.resource("arn:aws:rds:eu-west-1:1:db:shop", "aws.rds.instance", "shop-pg")
    production.edge(shop, database, "reads_from")
    production.metric(shop, "http_requests_per_second{route=/orders}", "Count/Second", rate)
    production.metric(database, "CPUUtilization", "Percent", cpu)
    production.metric(database, "QueriesPerSecond", "Count/Second", queries)
    return production


RAILS = {
    "config/routes.rb": "Rails.application.routes.draw do\n  resources :orders, only: :index\nend\n",
    "app/models/order.rb": "class Order < ApplicationRecord\n  belongs_to :customer\nend\n",
}
RUBY = "app/controllers/orders_controller.rb", "class OrdersController < ApplicationController\n  def index\n    render json: {query}.limit(50).map {{ |o| {{ id: o.id{more} }} }}\n  end\nend\n"  # fmt: skip
DJANGO = {
    "shop/models.py": 'class Order(models.Model):\n    customer = models.ForeignKey("Customer", on_delete=models.CASCADE)\n',
    "shop/urls.py": "from django.urls import path\nfrom . import views\nurlpatterns = [path('orders', views.orders)]\n",
}
PYTHON = (
    "shop/views.py",
    "from .models import Order\n\ndef orders(request):\n    return JsonResponse([{{'id': o.id{more}}} for o in {query}[:50]])\n",
)
JPA = {
    "src/main/java/a/Order.java": 'package a;\n@Entity\npublic class Order {\n  @OneToMany(mappedBy = "order")\n  private List<Item> items;\n}\n'
}
JAVA = "src/main/java/a/Orders.java", 'package a;\n@RestController\nclass Orders {{\n  @GetMapping("/orders")\n  public List<Dto> list() {{\n    List<Order> all = {query}(PageRequest.of(0, 50));\n    return all.stream().map(o -> new Dto(o.getId(){more})).toList();\n  }}\n}}\n'  # fmt: skip
BUSY, IDLE = {}, {"rate": 0.01, "cpu": 8.0, "queries": 20.0}
CASES = [
    (RAILS, RUBY, "Order", ", c: o.customer.name", ", c: o.customer_id", "Order.includes(:customer)"),
    (DJANGO, PYTHON, "Order.objects.all()", ", 'c': o.customer.name", ", 'c': o.customer_id", "Order.objects.select_related('customer')"),
    (JPA, JAVA, "repo.findAll", ", o.getItems().size()", ", o.getTotal()", 'entityGraph.load("items"); repo.findAll'),
]  # fmt: skip


@pytest.mark.parametrize(("models", "code", "query", "touch", "plain", "loaded"), CASES)
def test_a_relation_touched_in_a_loop_is_a_query_for_every_item(models, code, query, touch, plain, loaded) -> None:
    path, text = code
    base = {**models, path: text.format(query=query, more="")}

    def head(query, more):
        return {path: text.format(query=query, more=more)}

    assert told(evaluation_of(base, head(query, touch), a_shop())) == ["confirmed"]
    assert told(evaluation_of(base, head(query, touch), a_shop(**IDLE))) == ["refuted"]
    assert told(evaluation_of(base, head(query, plain), a_shop())) == []
    assert told(evaluation_of(base, head(loaded, touch), a_shop())) == []
