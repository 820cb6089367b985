using Checkout;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddSingleton<ITax>(new TaxTable());
var app = builder.Build();
app.MapGet("/tax/{country}", (string country, ITax tax) => tax.Rate(country));
app.Run();
