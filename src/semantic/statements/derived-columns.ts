import type { StatementRow, StatementValue } from '../../shared/statements/statements'
import type { ColumnSource } from './columns'
import { toUnits, unitsNumber, unitsText } from './units'

/** Differences of a column from what it is compared with: of its group, the actual less the year before or the budget. */
export function withDerivedColumns(
  rows: readonly StatementRow[],
  sources: readonly ColumnSource[],
  decimals: number,
): StatementRow[] {
  if (!sources.some(({ from }) => from === 'derived')) return [...rows]
  const at = (group: string, kind: string): number =>
    sources.findIndex(({ column }) => column.group === group && column.kind === kind)
  const derive = (values: readonly StatementValue[], isMoney: boolean): StatementValue[] =>
    sources.map(({ column: { kind, group } }, index) => {
      const other = kind.startsWith('budget') ? 'budget' : 'lastYear'
      const [actual, base] = [values[at(group, 'actual')] ?? null, values[at(group, other)] ?? null]
      if (kind === 'lastYearChange' || kind === 'budgetVariance')
        return difference(actual, base, isMoney ? decimals : null)
      // A share of a ratio says nothing: it changes in points.
      if (kind === 'lastYearPercent' || kind === 'budgetPercent') return isMoney ? percent(actual, base) : null
      return values[index] ?? null
    })
  return rows.map((row) => ({
    ...row,
    values: row.style === 'heading' ? row.values : derive(row.values, row.format === 'money'),
    ...(row.accounts
      ? { accounts: row.accounts.map((account) => ({ ...account, values: derive(account.values, true) })) }
      : {}),
  }))
}

/** @param decimals of an amount; null: of a ratio */
function difference(actual: StatementValue, base: StatementValue, decimals: number | null): StatementValue {
  if (actual === null || base === null) return null
  return decimals === null
    ? (Number(actual) - Number(base)).toFixed(6)
    : unitsText(toUnits(actual) - toUnits(base), decimals)
}
/** The change as a part of what it is compared with; none of nothing. */
function percent(actual: StatementValue, base: StatementValue): StatementValue {
  if (actual === null || base === null) return null
  const [now, then] = [toUnits(actual), toUnits(base)]
  return then === 0n ? null : (unitsNumber(now - then) / Math.abs(unitsNumber(then))).toFixed(6)
}
