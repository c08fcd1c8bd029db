import type { QueryPlan } from '../../../src/shared/query'
import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query-result'
import { categoriesOf, groupAt, groupsOf, placed } from './chart-model'
import type { FigureFormat } from './figure-format'

/** Two or three splits as a table: one across, the others downwards, with the server's own totals. */
export interface PivotModel {
  /** What stands downwards, outermost first, and what stands across. */
  downNames: string[]
  acrossName: string
  measures: ResultColumn[]
  across: { label: string; incomplete: boolean }[]
  rows: PivotRow[]
  /** Totals by column, then the whole; null where the server was not asked. */
  totals: PivotFigures | null
  notes: string[]
}
export interface PivotRow {
  key: string
  label: string
  /** 0 for the outermost split. */
  depth: number
  /** The row it can be folded into. */
  parent: string | null
  figures: PivotFigures
}
export interface PivotFigures {
  /** By column across, then by measure. */
  cells: PivotCell[][]
  /** By measure; null where the server was not asked. */
  total: Cell[] | null
}
export interface PivotCell {
  value: Cell
  /** Row of the main answer, for drilling; null for totals. */
  row: number | null
}

/** Which split stands across: the one over time when there is one, else the last. */
export function acrossOf(dimensions: readonly { grain?: unknown }[]): number {
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
export type PivotAnswers = { [K in keyof PivotPlans]?: QueryResult | undefined }

/** Null when totals cannot be asked for: limits on figures hold for groups, not for their totals. */
export function pivotPlans(plan: QueryPlan): PivotPlans | null {
  const { limit: _limit, offset: _offset, sort: _sort, having, ...rest } = plan
  if (having && having.length > 0) return null
  const at = acrossOf(plan.dimensions)
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
function byKeys(result: QueryResult, order: readonly number[]): Map<string, { cells: Cell[]; row: number }> {
  const measures = placed(result, 'measure')
  return new Map(
    result.rows.map((cells, row) => [
      joined(order.map((at) => groupAt(result, row, at).key)),
      { cells: measures.map(({ at }) => cells[at] ?? null), row },
    ]),
  )
}
const joined = (keys: readonly string[]): string => JSON.stringify(keys)

interface Parts {
  main: QueryResult
  answers: PivotAnswers
  across: number
  columns: { key: string }[]
  format: FigureFormat
}

/** The figures of one row: its cells in the main answer, or those of the totals by column. */
function figuresOf(
  keys: readonly string[],
  parts: { columns: readonly { key: string }[]; found: Found; totals: Found | null; drill: boolean },
): PivotFigures {
  const cells = parts.columns.map(({ key }) => {
    const hit = parts.found.get(joined([...keys, key]))
    return (hit?.cells ?? []).map((value) => ({ value, row: parts.drill ? (hit?.row ?? null) : null }))
  })
  return { cells, total: parts.totals?.get(joined(keys))?.cells ?? null }
}
type Found = Map<string, { cells: Cell[]; row: number }>

const mapOf = (result: QueryResult | undefined, order: readonly number[]): Found | null =>
  result ? byKeys(result, order) : null

const last = (a: { other: boolean }, b: { other: boolean }): number => Number(a.other) - Number(b.other)

function labelOf(parts: Parts, dimension: number, value: Cell): string {
  const column = placed(parts.main, 'dimension')[dimension]?.column
  return column ? parts.format.label(value, column) : String(value)
}

/** One split downwards. */
function flatRows(parts: Parts, only: number): PivotRow[] {
  const { main, answers, across, columns } = parts
  const found = byKeys(main, [only, across])
  const totals = mapOf(answers.rows, [0])
  return groupsOf(main, only)
    .sort(last)
    .map(({ key, value }) => ({
      key: joined([key]),
      label: labelOf(parts, only, value),
      depth: 0,
      parent: null,
      figures: figuresOf([key], { columns, found, totals, drill: true }),
    }))
}

/** Two splits downwards: every outer row with its own totals, then its inner rows. */
function nestedRows(parts: Parts, [outer, inner]: readonly [number, number]): PivotRow[] {
  const { main, answers, across, columns } = parts
  const found = byKeys(main, [outer, inner, across])
  const totals = mapOf(answers.rows, [0, 1])
  const outerFound: Found = mapOf(answers.outer, [0, 1]) ?? new Map()
  const outerTotals = mapOf(answers.outerTotal, [0])
  const children = childrenOf(main, outer, inner)
  return groupsOf(main, outer)
    .sort(last)
    .flatMap(({ key, value }): PivotRow[] => {
      const parent = joined([key])
      const own: PivotRow = {
        key: parent,
        label: labelOf(parts, outer, value),
        depth: 0,
        parent: null,
        figures: figuresOf([key], { columns, found: outerFound, totals: outerTotals, drill: false }),
      }
      const inside = [...(children.get(key)?.values() ?? [])].sort(last).map((group) => ({
        key: joined([key, group.key]),
        label: labelOf(parts, inner, group.value),
        depth: 1,
        parent,
        figures: figuresOf([key, group.key], { columns, found, totals, drill: true }),
      }))
      return [own, ...inside]
    })
}

/** The inner groups of every outer one, in the order of the answer. */
function childrenOf(main: QueryResult, outer: number, inner: number) {
  const children = new Map<string, Map<string, ReturnType<typeof groupAt>>>()
  main.rows.forEach((_, row) => {
    const of = groupAt(main, row, outer).key
    const group = groupAt(main, row, inner)
    const known = children.get(of) ?? new Map<string, ReturnType<typeof groupAt>>()
    children.set(of, known.set(group.key, group))
  })
  return children
}

/** @returns null without two or three splits and a measure */
export function pivotModel(main: QueryResult, answers: PivotAnswers, format: FigureFormat): PivotModel | null {
  const dimensions = placed(main, 'dimension')
  const measures = placed(main, 'measure').map(({ column }) => column)
  const at = acrossOf(dimensions.map(({ column }) => column))
  const wide = dimensions[at]
  if (!wide || dimensions.length < 2 || measures.length === 0) return null
  const all = categoriesOf(main, wide, format).sort((a, b) => Number(a.other) - Number(b.other))
  const columns = all.slice(0, ACROSS_MAX)
  const down = dimensions.flatMap((_, index) => (index === at ? [] : [index]))
  const [outer = 0, inner] = down
  const parts: Parts = { main, answers, across: at, columns, format }
  const acrossTotals = mapOf(answers.across, [0])
  const whole = answers.rows?.totals ?? main.totals
  const grand = whole ? placed(main, 'measure').map((_, index) => wholeFigure(answers.rows ?? main, index)) : null
  return {
    downNames: down.map((index) => dimensions[index]?.column.label ?? ''),
    acrossName: wide.column.label,
    measures,
    across: columns.map(({ label, incomplete }) => ({ label, incomplete })),
    rows: inner === undefined ? flatRows(parts, outer) : nestedRows(parts, [outer, inner]),
    totals: acrossTotals && {
      ...figuresOf([], { columns, found: acrossTotals, totals: null, drill: false }),
      total: grand,
    },
    notes:
      all.length > columns.length
        ? [`The first ${columns.length} of ${all.length} columns are shown; the totals hold all.`]
        : [],
  }
}

const wholeFigure = (result: QueryResult, measure: number): Cell => {
  const at = placed(result, 'measure')[measure]?.at
  return at === undefined ? null : (result.totals?.[at] ?? null)
}
