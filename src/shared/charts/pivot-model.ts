import type { QueryPlan } from '../query/plan'
import { tableColumns, type TableColumn } from '../figures/table-columns'
import type { Cell, QueryResult } from '../query/result'
import type { ChosenMark } from './chart-model'
import { categoriesOf, dimensionGroupAt, dimensionGroups, columnsOfKind, isIncompleteBucket } from './chart-model'
import type { CellFormatter } from '../figures/cell-formatter'

/** Two or three splits as a table: one across, the others downwards, with the server's own totals. */
export interface PivotModel {
  /** What stands downwards, outermost first. */
  downNames: string[]
  measures: TableColumn[]
  across: { label: string; incomplete: boolean; head: PivotHead | null }[]
  rows: PivotRow[]
  /** Totals by column, then the whole; null where the server was not asked. */
  totals: PivotRowValues | null
  notes: string[]
}
/** What a heading stands for: these splits of a row of the main answer. */
export interface PivotHead extends ChosenMark {
  dimensions: readonly number[]
}
export interface PivotRow {
  key: string
  label: string
  head: PivotHead | null
  /** 0 for the outermost split. */
  depth: number
  /** The row it can be folded into. */
  parent: string | null
  figures: PivotRowValues
}
export interface PivotRowValues {
  /** By column across, then by measure. */
  cells: PivotCell[][]
  /** By measure; null where the server was not asked. */
  total: Cell[] | null
}
interface PivotCell {
  value: Cell
  /** Row of the main answer, for drilling; null for totals. */
  row: number | null
}

/** Which split stands across: the one over time when there is one, else the last. */
export function acrossDimensionIndex(dimensions: readonly { grain?: unknown }[]): number {
  const times = dimensions.flatMap((dimension, at) => (dimension.grain === undefined ? [] : [at]))
  const [only] = times
  return times.length === 1 && only !== undefined ? only : dimensions.length - 1
}

/** The further questions whose answers are the totals of a pivot, by name. */
export interface PivotPlans {
  /** Every row over all columns. */
  rows: QueryPlan
  /** Every column over all rows. */
  across: QueryPlan
  /** With three splits: the outer rows by column, and over all columns. */
  outer?: QueryPlan
  outerTotal?: QueryPlan
}
export type PivotResults = { [K in keyof PivotPlans]?: QueryResult | undefined }

/** Null when totals cannot be asked for: limits on figures hold for groups, not for their totals. */
export function pivotPlans(plan: QueryPlan): PivotPlans | null {
  const { limit: _limit, offset: _offset, sort: _sort, having, ...rest } = plan
  if (having && having.length > 0) return null
  const at = acrossDimensionIndex(plan.dimensions)
  const down = plan.dimensions.filter((_, index) => index !== at)
  const across = plan.dimensions.filter((_, index) => index === at)
  const base: QueryPlan = {
    ...rest,
    totals: true,
    ...(rest.period ? { period: { ...rest.period, compare: 'none' as const } } : {}),
  }
  const outer = down.slice(0, 1)
  return {
    rows: { ...base, dimensions: down },
    across: { ...base, dimensions: across },
    ...(down.length > 1
      ? { outer: { ...base, dimensions: [...outer, ...across] }, outerTotal: { ...base, dimensions: outer } }
      : {}),
  }
}

const ACROSS_MAX = 40

/** Figures of a result by the joined keys of its splits. */
function indexByKeys(result: QueryResult, order: readonly number[]): CellsByKeys {
  const measures = columnsOfKind(result, 'measure')
  return new Map(
    result.rows.map((cells, row) => [
      joinKeys(order.map((at) => dimensionGroupAt(result, row, at).key)),
      { cells: measures.map(({ at }) => cells[at] ?? null), row },
    ]),
  )
}

/** The first row of an answer that has these values, as what stands for them all. */
function headsByKeys(main: QueryResult, dimensions: readonly number[]): (keys: readonly string[]) => PivotHead | null {
  const first = new Map<string, number>()
  main.rows.forEach((_, row) => {
    const key = joinKeys(dimensions.map((at) => dimensionGroupAt(main, row, at).key))
    if (!first.has(key)) first.set(key, row)
  })
  return (keys) => {
    const row = first.get(joinKeys(keys))
    return row === undefined ? null : { row, dimensions }
  }
}
const joinKeys = (keys: readonly string[]): string => JSON.stringify(keys)

interface PivotContext {
  main: QueryResult
  answers: PivotResults
  across: number
  columns: { key: string }[]
  format: CellFormatter
}

/** The figures of one row: its cells in the main answer, or those of the totals by column. */
function pivotRowValues(
  keys: readonly string[],
  parts: { columns: readonly { key: string }[]; found: CellsByKeys; totals: CellsByKeys | null; drill: boolean },
): PivotRowValues {
  const cells = parts.columns.map(({ key }) => {
    const hit = parts.found.get(joinKeys([...keys, key]))
    return (hit?.cells ?? []).map((value) => ({ value, row: parts.drill ? (hit?.row ?? null) : null }))
  })
  return { cells, total: parts.totals?.get(joinKeys(keys))?.cells ?? null }
}
type CellsByKeys = Map<string, { cells: Cell[]; row: number }>

const indexOptionalByKeys = (result: QueryResult | undefined, order: readonly number[]): CellsByKeys | null =>
  result ? indexByKeys(result, order) : null

const otherLast = (a: { other: boolean }, b: { other: boolean }): number => Number(a.other) - Number(b.other)

function dimensionLabel(context: PivotContext, dimension: number, value: Cell): string {
  const column = columnsOfKind(context.main, 'dimension')[dimension]?.column
  if (!column) return String(value)
  const star = isIncompleteBucket(value, column, context.main.period) ? ' *' : ''
  return `${context.format.label(value, column)}${star}`
}

/** One split downwards. */
function flatPivotRows(context: PivotContext, only: number): PivotRow[] {
  const { main, answers, across, columns } = context
  const found = indexByKeys(main, [only, across])
  const totals = indexOptionalByKeys(answers.rows, [0])
  const headOf = headsByKeys(main, [only])
  return dimensionGroups(main, only)
    .sort(otherLast)
    .map(({ key, value }) => ({
      key: joinKeys([key]),
      label: dimensionLabel(context, only, value),
      head: headOf([key]),
      depth: 0,
      parent: null,
      figures: pivotRowValues([key], { columns, found, totals, drill: true }),
    }))
}

/** Two splits downwards: every outer row with its own totals, then its inner rows. */
function nestedPivotRows(context: PivotContext, [outer, inner]: readonly [number, number]): PivotRow[] {
  const { main, answers, across, columns } = context
  const found = indexByKeys(main, [outer, inner, across])
  const totals = indexOptionalByKeys(answers.rows, [0, 1])
  const outerFound: CellsByKeys = indexOptionalByKeys(answers.outer, [0, 1]) ?? new Map()
  const outerTotals = indexOptionalByKeys(answers.outerTotal, [0])
  const children = innerGroupsByOuter(main, outer, inner)
  const [outerHead, innerHead] = [headsByKeys(main, [outer]), headsByKeys(main, [outer, inner])]
  return dimensionGroups(main, outer)
    .sort(otherLast)
    .flatMap(({ key, value }): PivotRow[] => {
      const parent = joinKeys([key])
      const own: PivotRow = {
        key: parent,
        label: dimensionLabel(context, outer, value),
        head: outerHead([key]),
        depth: 0,
        parent: null,
        figures: pivotRowValues([key], { columns, found: outerFound, totals: outerTotals, drill: false }),
      }
      const inside = [...(children.get(key)?.values() ?? [])].sort(otherLast).map((group) => ({
        key: joinKeys([key, group.key]),
        label: dimensionLabel(context, inner, group.value),
        head: innerHead([key, group.key]),
        depth: 1,
        parent,
        figures: pivotRowValues([key, group.key], { columns, found, totals, drill: true }),
      }))
      return [own, ...inside]
    })
}

function innerGroupsByOuter(main: QueryResult, outer: number, inner: number) {
  const children = new Map<string, Map<string, ReturnType<typeof dimensionGroupAt>>>()
  main.rows.forEach((_, row) => {
    const of = dimensionGroupAt(main, row, outer).key
    const group = dimensionGroupAt(main, row, inner)
    const known = children.get(of) ?? new Map<string, ReturnType<typeof dimensionGroupAt>>()
    children.set(of, known.set(group.key, group))
  })
  return children
}

/** @returns null without two or three splits and a measure */
export function pivotModel(main: QueryResult, answers: PivotResults, format: CellFormatter): PivotModel | null {
  const dimensions = columnsOfKind(main, 'dimension')
  const measures = tableColumns(main).filter(({ kind }) => kind === 'measure')
  const at = acrossDimensionIndex(dimensions.map(({ column }) => column))
  const wide = dimensions[at]
  if (!wide || dimensions.length < 2 || measures.length === 0) return null
  const all = categoriesOf(main, wide, format).sort(otherLast)
  const columns = all.slice(0, ACROSS_MAX)
  const down = dimensions.flatMap((_, index) => (index === at ? [] : [index]))
  const [outer = 0, inner] = down
  const context: PivotContext = { main, answers, across: at, columns, format }
  const acrossTotals = indexOptionalByKeys(answers.across, [0])
  const acrossHead = headsByKeys(main, [at])
  const whole = answers.rows?.totals ?? main.totals
  const grand = whole ? measures.map((_, index) => grandTotal(answers.rows ?? main, index)) : null
  return {
    downNames: down.map((index) => dimensions[index]?.column.label ?? ''),
    measures,
    across: columns.map(({ key, label, incomplete }) => ({ label, incomplete, head: acrossHead([key]) })),
    rows: inner === undefined ? flatPivotRows(context, outer) : nestedPivotRows(context, [outer, inner]),
    totals: acrossTotals && {
      ...pivotRowValues([], { columns, found: acrossTotals, totals: null, drill: false }),
      total: grand,
    },
    notes:
      all.length > columns.length
        ? [`The first ${columns.length} of ${all.length} columns are shown; totals include all.`]
        : [],
  }
}

const grandTotal = (result: QueryResult, measure: number): Cell => {
  const at = columnsOfKind(result, 'measure')[measure]?.at
  return at === undefined ? null : (result.totals?.[at] ?? null)
}
