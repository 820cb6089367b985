job "notify" {
  datacenters = ["eu1"]
  group "web" {
    count = 3
    task "web" {
      driver = "docker"
      config { image = "registry.sedge.example/notify:33" }
      template {
        source      = "/etc/nomad/templates/notify.env.tpl"
        destination = "secrets/env"
        env         = true
      }
    }
  }
}
