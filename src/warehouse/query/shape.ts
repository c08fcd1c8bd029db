import { cellOf, changeOf, groupFrom } from './amount'
import type { Amount } from './amount'
import type { Compiled } from './aggregate'
import { measureWords } from './words'
import type { Naming } from './words'
import type { ColumnFormat } from '../../shared/files'
import type { Field, QueryPlan } from '../../shared/query'
import type { Cell, QueryResult, ResultColumn } from '../../shared/query-result'
import type { Column } from '../../shared/sources'

const OTHER = 'Other'
type Raw = SqlStorageValue[]
type Shaped = Pick<QueryResult, 'columns' | 'rows' | 'otherRow' | 'otherCells' | 'totals'>

/** SQL's rows (count, then key and *Other* flag per split, then the outputs of every arm) as an answer. */
export function shapeAggregate(
  plan: QueryPlan,
  compiled: Compiled,
  raw: { naming: Naming; rows: Raw[]; totals: Raw | null },
): Shaped {
  const { dimensions } = compiled
  const otherCells: { row: number; dimension: number }[] = []
  const rows = raw.rows.map((cells, row) => {
    const keys = dimensions.map(({ column, grain }, i): Cell => {
      if (cells[2 + i * 2] !== 1) return groupFrom(column, grain, cells[1 + i * 2])
      otherCells.push({ row, dimension: i })
      return OTHER
    })
    return [...keys, ...figures(compiled, cells.slice(1 + dimensions.length * 2))]
  })
  const blank = dimensions.map(() => null)
  return {
    columns: columnsOf(plan, compiled, raw.naming),
    rows,
    otherRow: otherCells[0]?.row ?? null,
    ...(otherCells.length > 0 ? { otherCells } : {}),
    totals: raw.totals ? [...blank, ...figures(compiled, raw.totals)] : null,
  }
}

function figures({ measures, widths, compared }: Compiled, cells: Raw): Cell[] {
  const width = widths.reduce((total, each) => total + each, 0)
  const read = (start: number): Amount[] => {
    let at = start
    return measures.map((measure, i) => {
      const own = cells.slice(at, at + (widths[i] ?? 0))
      at += own.length
      return measure.decode(own)
    })
  }
  const now = read(0)
  if (!compared) return now.map(cellOf)
  const before = read(width)
  return measures.flatMap((measure, i) => {
    const [current, previous] = [now[i] ?? null, before[i] ?? null]
    if (!measure.numeric) return [cellOf(current), cellOf(previous)]
    const { change, share } = changeOf(current, previous)
    return [cellOf(current), cellOf(previous), cellOf(change), share]
  })
}

function columnsOf(plan: QueryPlan, compiled: Compiled, naming: Naming): ResultColumn[] {
  const labels = compiled.dimensions.map(({ column }) => column.label)
  const splits = compiled.dimensions.map(({ column, field }, i): ResultColumn => {
    const grain = plan.dimensions[i]?.grain
    const alike = labels.filter((label) => label === column.label).length > 1
    return {
      key: `d${i}`,
      label: alike ? naming.label(field) : column.label,
      kind: 'dimension',
      type: column.type,
      format: column.format,
      role: column.role,
      ...scaleOf(column.scale),
      ...(grain ? { grain } : {}),
    }
  })
  const measures = compiled.measures.flatMap((measure, i): ResultColumn[] => {
    const source = plan.measures[i]
    const words = source ? measureWords(source, naming) : ''
    const base = { type: measure.type, format: shownAs(source?.format, measure.format), ...scaleOf(measure.scale) }
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

const scaleOf = (scale: number | undefined): { scale?: number } => (scale === undefined ? {} : { scale })

/** The columns of a drill. */
export const rowColumns = (columns: readonly Column[], fields: readonly Field[], naming: Naming): ResultColumn[] =>
  columns.map((column, i) => ({
    key: `c${i}`,
    label: fields[i] ? naming.label(fields[i]) : column.label,
    kind: 'column',
    type: column.type,
    format: column.format,
    role: column.role,
    ...scaleOf(column.scale),
  }))
