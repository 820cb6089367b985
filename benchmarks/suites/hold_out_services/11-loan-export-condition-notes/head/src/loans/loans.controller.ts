import { Controller, Get, Param, ParseIntPipe } from "@nestjs/common";
import { LoansService } from "./loans.service";

@Controller()
export class LoansController {
  constructor(private readonly service: LoansService) {}

  @Get("loans/:id")
  one(@Param("id", ParseIntPipe) id: number) {
    return this.service.one(id);
  }

  @Get("admin/loans/export")
  async export() {
    return (await this.service.exportRows()).map((r) => r.join(";")).join("\n");
  }
}
