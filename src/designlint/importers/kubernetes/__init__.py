"""Jobs and queues as Kubernetes manifests state them."""
