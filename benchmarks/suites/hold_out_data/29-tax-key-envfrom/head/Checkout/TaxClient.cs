namespace Checkout;

public class TaxClient(HttpClient http) : ITax
{
    private static readonly string Key =
        Environment.GetEnvironmentVariable("TAX_API_KEY") ?? throw new InvalidOperationException("TAX_API_KEY");

    public decimal Rate(string country)
    {
        http.DefaultRequestHeaders.Authorization = new("Bearer", Key);
        return decimal.Parse(http.GetStringAsync($"https://tax.vendor.example/v1/{country}").Result);
    }
}
