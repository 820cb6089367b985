job "labels" {
  datacenters = ["eu1"]
  group "app" {
    count = 3
    task "app" {
      driver = "docker"
      config { image = "registry.parcelhub.example/labels:2.6.1" }
    }
  }
}
