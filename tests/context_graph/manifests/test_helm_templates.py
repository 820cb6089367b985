"""Charts whose objects are named and selected by named templates, as `helm create` writes them."""

import time

import pytest

from context_graph.manifests.helm_templates import Templates
from context_graph.testing_manifests import edges_of, graph_of

HELPERS = """{{/* Names */}}
{{- define "shop.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- define "shop.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}{{ .Release.Name }}{{ else }}{{ printf "%s-%s" .Release.Name $name }}{{ end }}
{{- end }}
{{- end }}
{{- define "shop.selectorLabels" -}}
app.kubernetes.io/name: {{ include "shop.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "shop.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "shop.selectorLabels" . }}
{{- end }}
{{- define "shop.store" -}}
{{- if .Values.store.create }}{{ include "shop.fullname" . }}-store:6379{{ else }}{{ .Values.store.address }}{{ end -}}
{{- end }}
"""
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "shop.fullname" . }}
spec:
  {{- if not .Values.scaled }}
  replicas: 2
  {{- end }}
  selector:
    matchLabels:
      {{- include "shop.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "shop.labels" . | nindent 8 }}
    spec:
      serviceAccountName: {{ include "shop.fullname" . }}
      containers:
        - name: shop
          env:
            - name: MAIL
              value: "{{ .Release.Name }}-mail:25"
            {{- toYaml .Values.more | nindent 12 }}
          envFrom:
            - configMapRef:
                name: {{ include "shop.fullname" . }}-settings
            - secretRef: {name: {{ printf "%s-key" (include "shop.fullname" .) | quote }}}
"""
REST = """{{- $full := include "shop.fullname" . -}}
apiVersion: v1
kind: Service
metadata: {name: {{ $full }}}
spec:
  selector: {{- include "shop.selectorLabels" . | nindent 4 }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $full }}-store
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ $full }}-settings
data:
  STORE: {{ include "shop.store" . }}
---
apiVersion: v1
kind: Secret
metadata: {name: {{ $full }}-key}
---
{{- if .Values.scaled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $full }}
spec:
  scaleTargetRef: {kind: Deployment, name: {{ $full }}}
{{- end }}
---
apiVersion: v1
kind: Service
metadata: {name: post}
---
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}-mail}
"""
PROBE = """apiVersion: v1
kind: Pod
metadata:
  name: "{{ include "shop.fullname" . }}-probe"
  labels: {{- include "shop.labels" . | nindent 4 }}
  annotations: {"helm.sh/hook": test}
spec:
  containers: [{name: w, image: b, args: ['{{ include "shop.fullname" . }}:80/health']}]
"""
VALUES = "store: {create: false, address: ''}\nmore:\n  - {name: FAR, value: 'http://post:25'}\n"
CHART = {
    "c/Chart.yaml": "name: shop\nversion: 1.0.0\n",
    "c/values.yaml": VALUES,
    "c/templates/_helpers.tpl": HELPERS,
    "c/templates/deployment.yaml": DEPLOYMENT,
    "c/templates/rest.yaml": REST,
    "c/templates/tests/probe.yaml": PROBE,
}
DEPLOYED = "deployment/default/shop"


def test_objects_are_joined_by_the_names_and_labels_that_templates_make() -> None:
    assert edges_of(CHART) == {
        ("service/default/shop", "routes_to", DEPLOYED),
        (DEPLOYED, "depends_on", "configmap/default/shop-settings"),
        (DEPLOYED, "depends_on", "secret/default/shop-key"),
        (DEPLOYED, "connects_to", "service/default/mail"),
        (DEPLOYED, "connects_to", "service/default/shop-store"),
        ("horizontalpodautoscaler/default/shop", "depends_on", DEPLOYED),
        ("pod/default/shop-probe", "connects_to", "service/default/shop"),
        (DEPLOYED, "connects_to", "service/default/post"),
    }


def test_an_edge_from_a_value_stands_in_the_values_file() -> None:
    places = {(e.file, e.line) for e in graph_of(CHART).edges if "FAR" in e.evidence}

    assert places == {("c/values.yaml", 3)}


def test_a_name_is_known_only_where_the_release_has_no_say() -> None:
    given = {d.name for d in graph_of({**CHART, "c/values.yaml": VALUES + "fullnameOverride: till\n"}).resources}

    assert {"till", "till-settings", "till-store"} <= given


def test_what_stands_under_a_condition_is_conditional() -> None:
    found = {d.kind.rpartition(".")[2] for d in graph_of(CHART).resources if d.is_conditional}

    assert found == {"horizontalpodautoscaler"}


def test_a_template_of_a_library_that_is_not_there_stays_open() -> None:
    text = DEPLOYMENT.replace('include "shop.', 'include "common.')

    found = graph_of({**CHART, "c/templates/deployment.yaml": text})

    assert DEPLOYED.replace("/shop", "/deployment") in {d.address.rpartition("//")[2] for d in found.resources}
    assert not found.not_read


def test_what_stands_for_itself_under_a_with_is_the_value_that_it_names() -> None:
    text = (
        DEPLOYMENT
        + """      {{- with .Values.pull }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.none }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- else }}
      volumes:
        {{- toYaml . | nindent 8 }}
      {{- end }}
"""
    )
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: registry}\n"
    files = {
        **CHART,
        "c/templates/deployment.yaml": text,
        "c/templates/s.yaml": secret,
        "c/values.yaml": VALUES + "none: []\npull: [{name: registry}]\n",
    }

    assert (DEPLOYED, "depends_on", "secret/default/registry") in edges_of(files)
    assert edges_of(files) - {(DEPLOYED, "depends_on", "secret/default/registry")} == edges_of(CHART)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ('.Values.a | default "x" | upper', "X"),
        ('ternary "on" "off" (eq .Values.n 3)', "on"),
        ('printf "%s-%v" (get (dict "k" .Values.s) "k") .Values.n', "web-3"),
        ('join "," .Values.list', "a,b"),
        ('include "with" (dict "root" $ "suffix" "api")', "web-api"),
        ('(.Values.deep).name | replace "e" "E" | trimPrefix "d"', "EEp"),
    ],
)
def test_functions_do_what_helm_does(action: str, text: str) -> None:
    values = {"s": "web", "n": 3, "list": ["a", "b"], "deep": {"name": "deep"}}
    templates = Templates({"h": '{{ define "with" }}{{ .root.Values.s }}-{{ .suffix }}{{ end }}'}, {})

    found = templates.settle(action, lambda path: values.get(path[0]), {})

    assert found is not None
    assert (found.text, found.is_known) == (text, True)


@pytest.mark.parametrize("action", ['include "a" .', 'include "none" .', "lookup 1", "lower", 'trunc "x" .Values', "(", "| |"])
def test_what_cannot_be_told_stays_open(action: str) -> None:
    templates = Templates({"h": '{{ define "a" }}{{ include "b" . }}{{ end }}{{ define "b" }}{{ include "a" . }}{{ end }}'}, {})

    assert templates.settle(action, lambda _: None, {}) is None


def test_templates_that_double_each_other_take_no_time() -> None:
    doubling = "".join(
        '{{ define "tN" }}{{ include "tM" . }}{{ include "tM" . }}{{ end }}'.replace("N", str(n)).replace("M", str(n + 1))
        for n in range(40)
    )
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n" + "".join(
        f'  k{n}: {{{{ include "t0" . }}}}-{{{{ printf "{n}" }}}}\n' for n in range(300)
    )
    start = time.monotonic()

    found = graph_of(
        {"c/Chart.yaml": "name: a\n", "c/templates/_h.tpl": doubling + '{{ define "t40" }}x{{ end }}', "c/templates/a.yaml": text}
    )

    assert len(found.resources) == 1
    assert time.monotonic() - start < 5
