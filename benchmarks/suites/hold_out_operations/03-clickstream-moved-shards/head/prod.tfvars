firehose_role = "arn:aws:iam::284410093357:role/firehose"
lake_bucket   = "arn:aws:s3:::larkspur-lake"
