import { parseAmountOrWarn, formatObjects, parseQuantity, splitObjects, fieldText } from './context'
import type { SieContext } from './context'
import type { SieField } from './fields'
import { getOrAddAccount } from './survey'
import { parseSiePeriod } from './values'

type BalanceKind = 'IB' | 'UB' | 'RES'

function warnUnknownYear(sieContext: SieContext, what: string, line: number): void {
  sieContext.warnings.add(
    'skipped_entry',
    `Line ${line}: “${what.slice(0, 40)}” is no fiscal year. The row is left out.`,
    line,
  )
}

/** `#IB`, `#UB`, `#RES` of an account, `#OIB`, `#OUB` of its objects. */
export function addBalance(
  sieContext: SieContext,
  balanceKind: BalanceKind,
  record: { fields: SieField[]; line: number },
): void {
  const { fields, line } = record
  const year = sieContext.years.ofBalance(fieldText(fields, 0), line)
  if (year === null) return warnUnknownYear(sieContext, fieldText(fields, 0), line)
  const account = getOrAddAccount(sieContext.survey, fieldText(fields, 1), line).account
  const { objects, rest } = splitObjects(fields, 2)
  const amount = parseAmountOrWarn(sieContext, fieldText(rest, 0), line)
  const quantity = parseQuantity(fieldText(rest, 1))
  const object = formatObjects(objects)
  const { tables, survey } = sieContext
  if (amount && object === null)
    sieContext.checks.balance({
      kind: balanceKind,
      year: Number(fieldText(fields, 0)),
      account,
      units: amount.units,
      line,
    })
  const org = survey.company.orgNumber
  tables.add(
    'balances',
    [
      org,
      year,
      `${org}/${year}/${account}`,
      account,
      object,
      balanceKind,
      tables.trackedNumber('balances', 'amount', amount),
      tables.trackedNumber('balances', 'quantity', quantity),
    ],
    line,
  )
}

/** `#PSALDO` (what an account moved in a month) and `#PBUDGET`. */
export function addPeriodBalance(
  sieContext: SieContext,
  table: 'period_balances' | 'budgets',
  { fields, line }: { fields: SieField[]; line: number },
): void {
  const year = sieContext.years.ofBalance(fieldText(fields, 0), line)
  if (year === null) return warnUnknownYear(sieContext, fieldText(fields, 0), line)
  const period = parseSiePeriod(fieldText(fields, 1))
  if (period === null)
    sieContext.warnings.add(
      'skipped_entry',
      `Line ${line}: “${fieldText(fields, 1).slice(0, 40)}” is no month. The row is kept without one.`,
      line,
    )
  const account = getOrAddAccount(sieContext.survey, fieldText(fields, 2), line).account
  const { objects, rest } = splitObjects(fields, 3)
  const { tables, survey } = sieContext
  const org = survey.company.orgNumber
  tables.add(
    table,
    [
      org,
      year,
      period,
      `${org}/${year}/${account}`,
      account,
      formatObjects(objects),
      tables.trackedNumber(table, 'amount', parseAmountOrWarn(sieContext, fieldText(rest, 0), line)),
      tables.trackedNumber(table, 'quantity', parseQuantity(fieldText(rest, 1))),
    ],
    line,
  )
}
