import { dayOfText, numberOf, type RawRecord, type RawTables } from './findings-raw'
import type { KeyedFinding } from '../../src/shared/briefing/briefing'
import { unitEnd } from './findings-periods'
import type { CatalogueDataset } from '../../src/warehouse/contract'
import type { Expr } from '../../src/shared/query/expression'
import type { Measure } from '../../src/shared/query/plan'
import type { Field } from '../../src/shared/query/field'
import type { FindingPeriod } from '../../src/shared/findings'

/** What a finding is held against: the files as they are, and what the product calls their columns. */
export interface RawSet {
  tables: RawTables
  datasets: readonly CatalogueDataset[]
  /** The column that dates the records of each file. */
  dates: Readonly<Record<string, string>>
}

function columnName({ datasets }: RawSet, field: Field): string {
  const dataset = datasets.find(({ id }) => id === field.dataset)
  const label = dataset?.columns.find(({ key }) => key === field.column)?.label ?? ''
  return `${dataset?.name ?? ''}.${label}`
}

const DIGITS = 1e-6
/** Figures are as the files say, but for the last digits of sums of floating-point numbers. */
const isSame = (told: number, real: number): boolean => Math.abs(told - real) <= DIGITS * Math.max(1, Math.abs(real))

function rowValue(set: RawSet, expr: Expr, record: RawRecord): number {
  if (expr.kind === 'field') return numberOf(record, columnName(set, expr.field))
  if (expr.kind === 'number') return Number(expr.value)
  if (expr.kind === 'binary' && expr.op === 'multiply')
    return rowValue(set, expr.left, record) * rowValue(set, expr.right, record)
  throw new Error(`not worked out by hand: ${expr.kind}`)
}

function measureOf(set: RawSet, measure: Measure, records: readonly RawRecord[]): number {
  if (measure.kind === 'expression') return records.reduce((sum, record) => sum + rowValue(set, measure.row, record), 0)
  if (measure.kind === 'column') {
    if (measure.agg === 'count' || !measure.field) return records.length
    const name = columnName(set, measure.field)
    const some = records.filter((record) => (record.get(name) ?? '') !== '')
    const sum = some.reduce((all, record) => all + numberOf(record, name), 0)
    return measure.agg === 'avg' ? sum / some.length : sum
  }
  if (measure.kind === 'calc' && measure.left.kind !== 'number' && measure.right.kind !== 'number') {
    const [left, right] = [measureOf(set, measure.left, records), measureOf(set, measure.right, records)]
    return measure.op === 'divide' ? left / right : left - right
  }
  throw new Error(`not worked out by hand: ${measure.kind}`)
}

/** The records of a dataset in a period, of one member where there is one. */
function recordsOf(set: RawSet, { about, member }: KeyedFinding, period: FindingPeriod): RawRecord[] {
  const name = set.datasets.find(({ id }) => id === about.dataset)?.name ?? ''
  const field = member && about.dimensions.find(({ key }) => key === member.dimension)?.field
  const [from, to] = [period.from, unitEnd(period.to, period.grain)]
  return (set.tables.get(name) ?? []).filter((record) => {
    const day = dayOfText(record.get(set.dates[name] ?? '') ?? '')
    const isMember = !member || (field && (record.get(columnName(set, field)) ?? '') === String(member.value ?? ''))
    return isMember && day >= from && day <= to
  })
}

/** Figures of these are of the rows themselves; those of others of what was expected, or of single buckets. */
const READ_OFF = new Set(['growth', 'loss', 'leader', 'rateGap', 'turned', 'contribution', 'newMember', 'lostMember'])

/** What a finding says that the files do not. */
export function untrue(set: RawSet, finding: KeyedFinding): string[] {
  const { about, effect, period, comparison, kind } = finding
  // That a member lacks a month says that nothing is there.
  const isGap = kind === 'outlier' && finding.member !== null
  if (!READ_OFF.has(kind) && !isGap && !(kind === 'change' && comparison)) return []
  const at = (of: FindingPeriod): number => measureOf(set, about.measure, recordsOf(set, finding, of))
  const faults: string[] = []
  const now = at(period)
  if (!isSame(Number(effect.value), now)) faults.push(`says ${String(effect.value)}, the files ${String(now)}`)
  if (comparison && effect.previous !== null) {
    const then = at(comparison)
    if (!isSame(Number(effect.previous), then)) faults.push(`says ${effect.previous} before, the files ${String(then)}`)
  }
  return faults
}
