namespace Checkout;

public interface ITax
{
    decimal Rate(string country);
}

public class TaxTable : ITax
{
    public decimal Rate(string country) => country == "DE" ? 0.19m : 0.21m;
}
