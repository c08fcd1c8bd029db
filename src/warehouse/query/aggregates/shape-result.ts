import { cellOf, changeOf, groupFrom, type Amount } from './amount'
import type { MeasureTraits } from './calculations'
import type { GroupedSplit } from '../plan/plan-groupings'
import type { PlanSplit } from './plan-splits'
import type { RecordColumn } from '../plan/record-fields'
import { describeMeasure, type PlanNaming } from '../plan/describe-plan'
import type { ColumnFormat } from '../../../shared/data-sources/files'
import { currencyDecimals } from '../../../shared/currencies'
import type { QueryPlan } from '../../../shared/query/plan'
import type { Cell, QueryResult, ResultColumn } from '../../../shared/query/result'

const OTHER = 'Other'
export type ShapedResult = Pick<QueryResult, 'columns' | 'rows' | 'otherRow' | 'otherCells' | 'totals'>

/** How the columns of an answer are shown. */
export interface OutputColumns {
  dimensions: readonly PlanSplit[]
  measures: readonly MeasureTraits[]
  compared: boolean
}
/** A group: raw keys, and its figures in the period and in what it is compared with. */
export interface OutputGroup {
  keys: SqlStorageValue[]
  other: boolean[]
  sides: Amount[][]
}

export function shapeGroups(
  plan: QueryPlan,
  outputColumns: OutputColumns,
  of: { naming: PlanNaming; groups: readonly OutputGroup[]; totals: Amount[][] | null },
): ShapedResult {
  const { dimensions } = outputColumns
  const otherCells: { row: number; dimension: number }[] = []
  const rows = of.groups.map(({ keys, other, sides }, row) => {
    const names = dimensions.map((dimension, i): Cell => {
      if (other[i] !== true) return nameOf(dimension, keys[i])
      otherCells.push({ row, dimension: i })
      return OTHER
    })
    return [...names, ...figures(outputColumns, sides)]
  })
  const blank = dimensions.map(() => null)
  return {
    columns: columnsOf(plan, outputColumns, of),
    rows,
    otherRow: otherCells[0]?.row ?? null,
    ...(otherCells.length > 0 ? { otherCells } : {}),
    totals: of.totals && [...blank, ...figures(outputColumns, of.totals)],
  }
}

function nameOf({ column, grain, grouped, numberOf }: PlanSplit, key: SqlStorageValue | undefined): Cell {
  if (grouped) return grouped.decode(key)
  if (numberOf) return typeof key === 'number' ? numberOf(key) : null
  return groupFrom(column, grain, key)
}

function figures({ measures, compared }: OutputColumns, [now = [], before = []]: readonly Amount[][]): Cell[] {
  if (!compared) return now.map(cellOf)
  return measures.flatMap((measure, i) => {
    const [current, previous] = [now[i] ?? null, before[i] ?? null]
    if (!measure.numeric) return [cellOf(current), cellOf(previous)]
    const { change, share } = changeOf(current, previous)
    return [cellOf(current), cellOf(previous), cellOf(change), share]
  })
}

const groupColumn = ({ name, groups }: GroupedSplit, i: number): ResultColumn => ({
  ...{ key: `d${i}`, label: name, kind: 'dimension', type: 'text' },
  ...{ format: { style: 'plain' }, role: 'dimension', groups },
})

/** Keys as they stand; their names beside them, those of the page. A key that reads like *Other* beside it has none. */
function keyColumn(
  { label, names }: Required<Pick<PlanSplit, 'label' | 'names'>>,
  { i, heads, groups }: { i: number; heads: { name: string; key: string }; groups: readonly OutputGroup[] },
): ResultColumn {
  const hasOther = groups.some(({ other }) => other[i] === true)
  const shown = groups.flatMap(({ keys }): [string, string][] => {
    const key = keys[i]
    if (hasOther && key === OTHER) return []
    if (typeof key !== 'string' && typeof key !== 'number') return []
    const name = names.get(key)
    return name === undefined ? [] : [[String(key), name]]
  })
  return {
    ...{ key: `d${i}`, label: heads.name, kind: 'dimension', type: 'text', format: { style: 'plain' } },
    role: label.column.role,
    names: { key: heads.key, of: Object.fromEntries(shown) },
  }
}

function columnsOf(
  plan: QueryPlan,
  compiled: OutputColumns,
  { naming: planNaming, groups }: { naming: PlanNaming; groups: readonly OutputGroup[] },
): ResultColumn[] {
  const labels = compiled.dimensions.map(({ column, label }) => (label?.column ?? column).label)
  const splits = compiled.dimensions.map(({ column, field, grouped, numberOf, label, names }, i): ResultColumn => {
    if (grouped) return groupColumn(grouped, i)
    const alike = labels.filter((one) => one === labels[i]).length > 1
    if (label && names) {
      const name = alike ? planNaming.label(label.field) : label.column.label
      return keyColumn({ label, names }, { i, heads: { name, key: column.label }, groups })
    }
    const { grain, part, bins } = plan.dimensions[i] ?? {}
    return {
      key: `d${i}`,
      label: alike ? planNaming.label(field) : column.label,
      kind: 'dimension',
      type: column.type,
      format: column.format,
      role: column.role,
      ...scaleOf(column.scale),
      ...(grain ? { grain } : {}),
      ...(part ? { part, type: 'integer', format: { style: 'plain' } } : {}),
      ...(bins && 'width' in bins ? { bins: { width: bins.width } } : {}),
      ...(part === 'weekday' && numberOf ? { firstWeekday: numberOf(0) } : {}),
    }
  })
  const measures = compiled.measures.flatMap((measure, i): ResultColumn[] => {
    const source = plan.measures[i]
    const words = source ? describeMeasure(source, planNaming) : ''
    const base = {
      type: measure.type,
      format: shownAs(source?.format, measure.format),
      ...scaleOf(shownScale(plan, measure)),
    }
    const shown: ResultColumn = { key: `m${i}`, label: words, kind: 'measure', ...base }
    if (!compiled.compared) return [shown]
    const previous: ResultColumn = {
      key: `m${i}.previous`,
      label: `${words}, before`,
      kind: 'previous',
      ...base,
      measure: i,
    }
    if (!measure.numeric) return [shown, previous]
    const change: ResultColumn = { key: `m${i}.change`, label: `${words}, change`, kind: 'change', ...base, measure: i }
    const share: ResultColumn = {
      key: `m${i}.changePercent`,
      label: `${words}, change in %`,
      kind: 'changePercent',
      type: 'number',
      format: { style: 'percent' },
      measure: i,
    }
    return [shown, previous, change, share]
  })
  return [...splits, ...measures]
}

/** As asked for; amounts stay in the currency they are in. */
const shownAs = (asked: ColumnFormat | undefined, own: ColumnFormat): ColumnFormat =>
  asked === undefined || (asked.style === 'currency' && own.style === 'currency') ? own : asked

/** Converted amounts are exact to more decimals than are worth showing. */
const shownScale = ({ currency }: QueryPlan, { format, scale }: MeasureTraits): number | undefined =>
  currency && format.style === 'currency' ? currencyDecimals(format.currency) : scale
const scaleOf = (scale: number | undefined): { scale?: number } => (scale === undefined ? {} : { scale })

/** The columns of a drill. */
export const rowColumns = (columns: readonly RecordColumn[], planNaming: PlanNaming): ResultColumn[] =>
  columns.map(({ column, field, converted }, i) => {
    const label = planNaming.label(field)
    const code = converted?.style === 'currency' ? converted.currency : null
    return {
      ...{ key: `c${i}`, label: code === null ? label : `${label} in ${code}`, kind: 'column', role: column.role },
      ...(converted ? { type: 'number', format: converted } : { field, type: column.type, format: column.format }),
      ...scaleOf(column.scale),
    }
  })
