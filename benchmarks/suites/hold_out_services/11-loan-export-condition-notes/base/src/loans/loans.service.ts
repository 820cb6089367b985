import { Injectable } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import { ConditionReport } from "./condition-report.entity";
import { Loan } from "./loan.entity";

@Injectable()
export class LoansService {
  constructor(
    @InjectRepository(Loan) private readonly loans: Repository<Loan>,
    @InjectRepository(ConditionReport) private readonly reports: Repository<ConditionReport>,
  ) {}

  one(id: number) {
    return this.loans.findOneByOrFail({ id });
  }

  async exportRows() {
    const rows: string[][] = [];
    for (const loan of await this.loans.find({ order: { dueOn: "DESC" }, take: 200 })) {
      rows.push([String(loan.id), loan.borrower, loan.dueOn]);
    }
    return rows;
  }
}
