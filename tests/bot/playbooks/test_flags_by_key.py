"""Flags that a table of defaults holds by key, and how code elsewhere asks for them."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "feature-flag"]


def a_lender():
    production = MemoryProduction("github:acme/lend")
    web = production.resource("kubernetes:prod/lend/deployment/web", "kubernetes.deployment", "web", is_deployed=True)
    production.edge(web, production.resource("external:bureau", "external.service", "bureau"), "connects_to")
    production.metric(web, "http_requests_per_second{route=/applications}", "Count/Second", 6.0)
    return production


RUBY = {
    "lib/flags.rb": "module Flags\n  DEFAULTS = {\n    instant_check: {},\n  }.freeze\n\n  def self.on?(name)\n    DEFAULTS.fetch(name)\n  end\nend\n",
    "config/routes.rb": 'Rails.application.routes.draw do\n  post "/applications", to: "applications#create"\nend\n',
    "app/models/bureau.rb": 'class Bureau\n  def self.score(a)\n    Faraday.post(ENV.fetch("BUREAU_URL"), a.to_json)\n  end\nend\n',
}
ASKED = {
    "modifier": "    Bureau.score(params) if Flags.on?(:instant_check)\n",
    "block": "    if Flags.on?(:instant_check)\n      Bureau.score(params)\n    end\n",
    "guard": "    return head(:ok) unless Flags.on?(:instant_check)\n    Bureau.score(params)\n",
    "variable": "    instant = Flags.on?(:instant_check)\n    Bureau.score(params) if instant\n",
    "and": "    Flags.on?(:instant_check) && Bureau.score(params)\n",
}
PYTHON = {
    "shop/flags.py": 'DEFAULTS = {{\n    "instant_check": {},\n}}\n\n\ndef is_on(name):\n    return DEFAULTS[name]\n',
    "shop/view.py": 'import requests\nfrom flask import Flask\n\nfrom shop.flags import is_on\n\napp = Flask(__name__)\n\n\n@app.post("/applications")\ndef create():\n    if is_on("instant_check"):\n        requests.post(BUREAU_URL, json={{}})\n    return "ok"\n',
}
NODE = {
    "src/flags.ts": "export const defaults: Record<string, boolean> = {{\n  instantCheck: {},\n}};\nexport const isOn = (name: string) => defaults[name];\n",
    "src/app.ts": 'import express from "express";\nimport {{ isOn }} from "./flags";\nconst app = express();\napp.post("/applications", async (req, res) => {{\n  const instant = isOn("instantCheck");\n  if (instant) {{\n    await fetch(`${{process.env.BUREAU_URL}}/score`);\n  }}\n  res.json({{}});\n}});\n',
}


@pytest.mark.parametrize("asked", sorted(ASKED))
def test_a_symbol_that_a_controller_asks_for_leads_to_the_partner(asked) -> None:
    controller = "class ApplicationsController < ActionController::API\n  def create\n" + ASKED[asked] + "  end\nend\n"
    base = {**RUBY, "app/controllers/applications_controller.rb": controller}
    flags = base["lib/flags.rb"]
    said = evaluation_of(
        {**base, "lib/flags.rb": flags.replace("{}", "false")}, {"lib/flags.rb": flags.replace("{}", "true")}, a_lender()
    )
    (chain,) = [e for e in said.ledger if e.trajectory.playbook == "feature-flag"]

    assert (chain.status.value, chain.trajectory.resource) == ("plausible", "external:bureau")


@pytest.mark.parametrize(
    ("files", "path", "values"), [(PYTHON, "shop/flags.py", ("False", "True")), (NODE, "src/flags.ts", ("false", "true"))]
)
def test_a_key_of_a_table_that_other_code_asks_for_by_name(files, path, values) -> None:
    old, new = values
    base = {p: text.format(old) for p, text in files.items()}

    assert told(evaluation_of(base, {path: files[path].format(new)}, a_lender())) == ["plausible"]


def test_a_key_that_nobody_asks_for_is_silent() -> None:
    flags = RUBY["lib/flags.rb"]
    said = evaluation_of(
        {**RUBY, "lib/flags.rb": flags.replace("{}", "false")}, {"lib/flags.rb": flags.replace("{}", "true")}, a_lender()
    )

    assert told(said) == []


CONTROLLER = "class ApplicationsController < ActionController::API\n  def create\n    Bureau.score(params) if Flags.on?(:instant_check)\n  end\nend\n"
LOADER = 'module Flags\n  ALL = YAML.load_file("config/features.yml").freeze\n\n  def self.on?(name)\n    ALL.fetch(name.to_s).fetch("default")\n  end\nend\n'


@pytest.mark.parametrize("state", ["default", "enabled", "value", "on", "default_value"])
@pytest.mark.parametrize("file", ["config/features.yml", "config/flags.yaml"])
def test_a_table_that_says_the_state_of_a_flag_under_its_key(state, file) -> None:
    base = {
        "lib/flags.rb": LOADER,
        "app/models/bureau.rb": RUBY["app/models/bureau.rb"],
        "app/controllers/applications_controller.rb": CONTROLLER,
    }
    table = f"gift_cards:\n  {state}: true\ninstant_check:\n  {state}: {{}}\n  owner: credit\n"

    said = evaluation_of({**base, file: table.format("false")}, {file: table.format("true")}, a_lender())

    (chain,) = [e for e in said.ledger if e.trajectory.playbook == "feature-flag"]
    assert (chain.status.value, chain.trajectory.resource) == ("plausible", "external:bureau")
    assert "instant_check" in chain.trajectory.title
