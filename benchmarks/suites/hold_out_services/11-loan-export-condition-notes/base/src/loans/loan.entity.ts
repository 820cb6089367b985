import { Column, Entity, OneToMany, PrimaryGeneratedColumn } from "typeorm";
import { ConditionReport } from "./condition-report.entity";

@Entity("loans")
export class Loan {
  @PrimaryGeneratedColumn() id!: number;
  @Column() borrower!: string;
  @Column({ type: "date" }) dueOn!: string;
  @OneToMany(() => ConditionReport, (r) => r.loan) reports!: ConditionReport[];
}
