import { Column, Entity, Index, ManyToOne, PrimaryGeneratedColumn } from "typeorm";
import { Loan } from "./loan.entity";

@Entity("condition_reports")
export class ConditionReport {
  @PrimaryGeneratedColumn() id!: number;
  @Index() @Column({ name: "loan_id" }) loanId!: number;
  @ManyToOne(() => Loan, (l) => l.reports) loan!: Loan;
  @Column({ type: "text" }) note!: string;
  @Column({ name: "seen_at", type: "timestamptz" }) seenAt!: Date;
}
