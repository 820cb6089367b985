resource "aws_cloudfront_distribution" "shop" {
  enabled = true

  origin {
    domain_name = "pages.sundryshop.example"
    origin_id   = "pages"
  }

  default_cache_behavior {
    target_origin_id       = "pages"
    viewer_protocol_policy = "redirect-to-https"
    allowed_methods        = ["GET", "HEAD"]
    cached_methods         = ["GET", "HEAD"]
    cache_policy_id        = "658327ea-f89d-4fab-a63d-7e88639e58f6"
  }
}
