"""Production, as facts: snapshot and manifests in; graph, affected resources and context out."""
