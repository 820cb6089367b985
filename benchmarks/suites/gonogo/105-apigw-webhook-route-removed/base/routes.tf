resource "aws_apigatewayv2_route" "checkout" {
  api_id    = aws_apigatewayv2_api.public.id
  route_key = "POST /checkout"
  target    = "integrations/${aws_apigatewayv2_integration.checkout.id}"
}

resource "aws_apigatewayv2_route" "payment_hook" {
  api_id    = aws_apigatewayv2_api.public.id
  route_key = "POST /hooks/payments"
  target    = "integrations/${aws_apigatewayv2_integration.checkout.id}"
}
