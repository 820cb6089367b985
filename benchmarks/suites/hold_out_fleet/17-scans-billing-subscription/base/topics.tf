resource "aws_sns_topic" "scans" {
  name = "parcel-scans"
}

resource "aws_sns_topic" "claims" {
  name = "parcel-claims"
}
