import type { PlanAnalysis } from '../plan/check-plan'
import { dayFromIso, monthIndexOf, DAY_MS, type Calendar } from '../../../shared/dates'
import { currencyOf } from './amount-currency'
import { timeKey } from './money-conversion'
import type { DayRange, AbsolutePeriod } from '../time/resolve-period'
import { fieldsShown } from '../plan/record-fields'
import { calculatedFieldsOf, leafMeasuresOf, isSameField } from '../../../shared/query/plan-fields'
import type { AmountCurrency } from '../../../shared/currencies'
import type { Filter, QueryPlan } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'
import type { CurrencyMode } from '../../../shared/query/currency-modes'
import type { LiveDataset } from '../../physical-layout'

/** A column of amounts that a plan calculates with. */
export interface MoneyUse {
  /** Whose rows are added up. */
  fact: string
  field: Field
  money: AmountCurrency
  /** How it is brought to one currency; undefined: as the plan says. */
  mode: CurrencyMode | undefined
  /** Measures that calculate with it. */
  measures: number[]
  /** Rows that count are those of any of these; one that is empty lets all through. */
  filters: Filter[][]
}

type FindDataset = (id: string) => LiveDataset | null

/** Amounts that are calculated with; those that are only counted are not. */
export function moneyUses(plan: QueryPlan, analysis: PlanAnalysis, findDataset: FindDataset): MoneyUse[] {
  const uses: MoneyUse[] = []
  plan.measures.forEach((measure, index) => {
    for (const leaf of leafMeasuresOf(measure)) {
      const fact = analysis.factOf(leaf)
      for (const field of calculatedFieldsOf(leaf)) {
        const dataset = findDataset(field.dataset)
        const column = dataset?.columns.find(({ key }) => key === field.column)
        const money = dataset && column ? currencyOf(dataset, column) : null
        if (!money) continue
        const known = uses.find((use) => use.fact === fact && use.mode === leaf.mode && isSameField(use.field, field))
        if (known) {
          known.filters.push(leaf.filter ?? [])
          if (!known.measures.includes(index)) known.measures.push(index)
        } else uses.push({ fact, field, money, mode: leaf.mode, measures: [index], filters: [leaf.filter ?? []] })
      }
    }
  })
  return uses
}

/** Amounts among the columns of records. */
export function moneyShown(plan: QueryPlan, home: string, findDataset: FindDataset): MoneyUse[] {
  const dataset = findDataset(home)
  const fields = dataset ? fieldsShown(dataset, plan) : []
  return fields.flatMap((field): MoneyUse[] => {
    const of = findDataset(field.dataset)
    const column = of?.columns.find(({ key }) => key === field.column)
    const money = of && column ? currencyOf(of, column) : null
    return money ? [{ fact: home, field, money, mode: undefined, measures: [], filters: [[]] }] : []
  })
}

/** Whether the plan splits by the very column that says what the amounts are in: every group is in one currency then. */
export const splitsByCurrency = (plan: QueryPlan, { field, money }: MoneyUse): boolean =>
  'column' in money &&
  plan.dimensions.some(
    (split) =>
      split.topN === undefined && !split.grouping && isSameField(split.field, { ...field, column: money.column }),
  )

const FIRST_RATES = dayFromIso('1999-01-01') ?? 0
const YEAR = 366

/**
 * Days for which rates may be needed, in whole years, so that the next question finds them there. `balances`: of rows without a
 * day of their own.
 */
export function daysOf(
  uses: readonly MoneyUse[],
  at: {
    plan: QueryPlan
    period: AbsolutePeriod | null
    find: FindDataset
    calendar: Calendar
    balances: readonly DayRange[]
  },
): { from: number; to: number } {
  const today = dayFromIso(at.calendar.today) ?? 0
  const ranges = at.period?.range ? [at.period.range, ...(at.period.compare ? [at.period.compare] : [])] : []
  const bounds = ranges.length > 0 ? [] : uses.flatMap(({ fact }) => boundsOf(fact, at))
  const all = [...ranges, ...bounds, ...at.balances]
  const from = Math.max(FIRST_RATES, Math.min(today, ...all.map((range) => range.from)))
  const to = Math.min(today + YEAR, Math.max(today, ...all.map((range) => range.to)))
  return { from: yearStart(from), to: yearStart(Math.max(from, to) + YEAR) - 1 }
}
const yearStart = (day: number): number =>
  dayFromIso(`${String(Math.floor(monthIndexOf(day) / 12)).padStart(4, '0')}-01-01`) ?? day

function boundsOf(
  fact: string,
  { plan, find }: { plan: QueryPlan; find: FindDataset },
): { from: number; to: number }[] {
  const dataset = find(fact)
  if (!dataset) return []
  const key = timeKey(dataset)
  const field = plan.period?.field ?? (key === null ? null : { dataset: fact, column: key })
  if (!field) return []
  const of = find(field.dataset)
  const column = of?.columns.find((each) => each.key === field.column)
  const { min, max } = of?.bounds[field.column] ?? { min: null, max: null }
  if (!column || min === null || max === null) return []
  const unit = column.type === 'date' ? 1 : DAY_MS
  return [{ from: Math.floor(min / unit) - 1, to: Math.floor(max / unit) + 1 }]
}
