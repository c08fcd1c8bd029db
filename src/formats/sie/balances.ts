import { amountOf, objectText, quantityOf, splitObjects, textAt } from './context'
import type { Ledger } from './context'
import type { Field } from './fields'
import { accountOf } from './survey'
import { readPeriod } from './values'

type Kind = 'IB' | 'UB' | 'RES'

function badYear(ledger: Ledger, what: string, line: number): void {
  ledger.warnings.add(
    'skipped_entry',
    `Line ${line}: “${what.slice(0, 40)}” is no fiscal year. The row is left out.`,
    line,
  )
}

/** `#IB`, `#UB`, `#RES` of an account, `#OIB`, `#OUB` of its objects. */
export function readBalance(ledger: Ledger, kind: Kind, record: { fields: Field[]; line: number }): void {
  const { fields, line } = record
  const year = ledger.years.ofBalance(textAt(fields, 0), line)
  if (year === null) return badYear(ledger, textAt(fields, 0), line)
  const account = accountOf(ledger.survey, textAt(fields, 1), line).account
  const { objects, rest } = splitObjects(fields, 2)
  const amount = amountOf(ledger, textAt(rest, 0), line)
  const quantity = quantityOf(textAt(rest, 1))
  const object = objectText(objects)
  const { tables, survey } = ledger
  if (amount && object === null)
    ledger.checks.balance({ kind, year: Number(textAt(fields, 0)), account, units: amount.units, line })
  const org = survey.company.orgNumber
  tables.add(
    'balances',
    [
      org,
      year,
      `${org}/${year}/${account}`,
      account,
      object,
      kind,
      tables.figure('balances', 'amount', amount),
      tables.figure('balances', 'quantity', quantity),
    ],
    line,
  )
}

/** `#PSALDO` (what an account moved in a month) and `#PBUDGET`. */
export function readPeriodBalance(
  ledger: Ledger,
  table: 'period_balances' | 'budgets',
  { fields, line }: { fields: Field[]; line: number },
): void {
  const year = ledger.years.ofBalance(textAt(fields, 0), line)
  if (year === null) return badYear(ledger, textAt(fields, 0), line)
  const period = readPeriod(textAt(fields, 1))
  if (period === null)
    ledger.warnings.add(
      'skipped_entry',
      `Line ${line}: “${textAt(fields, 1).slice(0, 40)}” is no month. The row is kept without one.`,
      line,
    )
  const account = accountOf(ledger.survey, textAt(fields, 2), line).account
  const { objects, rest } = splitObjects(fields, 3)
  const { tables, survey } = ledger
  const org = survey.company.orgNumber
  tables.add(
    table,
    [
      org,
      year,
      period,
      `${org}/${year}/${account}`,
      account,
      objectText(objects),
      tables.figure(table, 'amount', amountOf(ledger, textAt(rest, 0), line)),
      tables.figure(table, 'quantity', quantityOf(textAt(rest, 1))),
    ],
    line,
  )
}
