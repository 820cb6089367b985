using Microsoft.AspNetCore.Mvc;

namespace Reports.Api.Controllers;

[ApiController]
[Route("reports")]
public class ReportsController(ReportStore store) : ControllerBase
{
    [HttpGet("{id:int}/export")]
    public IActionResult Export(int id) => File(store.Csv(id), "text/csv");
}
