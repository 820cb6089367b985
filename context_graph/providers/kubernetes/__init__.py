"""What runs in a Kubernetes cluster, read through its API with a kubeconfig or a pod's service account: only GET, no Secret."""
