@test "script is executable" {
  [ -x bin/run.sh ]
}
