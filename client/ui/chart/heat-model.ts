import type { QueryResult, ResultColumn } from '../../../src/shared/query-result'
import { categoriesOf, dimensionGroupAt, dimensionGroups, columnsOfKind } from './chart-model'
import type { Category } from './chart-model'
import { toNumber } from './figure-format'
import type { CellFormatter } from './figure-format'

/** A measure over two splits: time, or the second split, across; the other one downwards. */
export interface HeatMapModel {
  column: ResultColumn
  across: Category[]
  down: { label: string; other: boolean }[]
  of: [string, string]
  cells: HeatMapCell[]
  low: number
  high: number
  notes: string[]
}
export interface HeatMapCell {
  /** Places in `across` and `down`. */
  x: number
  y: number
  value: number
  row: number
}

const ACROSS_MAX = 60
const DOWN_MAX = 40

const truncationNote = (name: string, drawn: number, of: number): string[] =>
  of > drawn ? [`The first ${drawn} of ${of} values of ${name} are drawn; the table shows all.`] : []

/** @returns null without exactly two splits and a measure */
export function heatMapModel(result: QueryResult, format: CellFormatter): HeatMapModel | null {
  const dimensions = columnsOfKind(result, 'dimension')
  const [measure, ...more] = columnsOfKind(result, 'measure')
  const [first, second] = dimensions
  if (!measure || !first || !second || dimensions.length > 2) return null
  const [wide, deep] = first.column.grain && !second.column.grain ? [first, second] : [second, first]
  const all = categoriesOf(result, wide, format)
  const across = all.slice(0, ACROSS_MAX)
  const groups = dimensionGroups(result, deep.at).sort((a, b) => Number(a.other) - Number(b.other))
  const down = groups.slice(0, DOWN_MAX)
  const places = {
    x: new Map(across.map(({ key }, at) => [key, at])),
    y: new Map(down.map(({ key }, at) => [key, at])),
  }
  const cells = result.rows.flatMap((figures, row): HeatMapCell[] => {
    const x = places.x.get(dimensionGroupAt(result, row, wide.at).key)
    const y = places.y.get(dimensionGroupAt(result, row, deep.at).key)
    const value = toNumber(figures[measure.at])
    return x === undefined || y === undefined || value === null ? [] : [{ x, y, value, row }]
  })
  // As it is read: line by line.
  cells.sort((a, b) => a.y - b.y || a.x - b.x)
  const values = cells.map((cell) => cell.value)
  return {
    column: measure.column,
    across,
    down: down.map(({ value, other }) => ({ label: format.label(value, deep.column), other })),
    of: [wide.column.label, deep.column.label],
    cells,
    low: values.length === 0 ? 0 : Math.min(...values),
    high: values.length === 0 ? 0 : Math.max(...values),
    notes: [
      ...truncationNote(wide.column.label, across.length, all.length),
      ...truncationNote(deep.column.label, down.length, groups.length),
      ...(more.length > 0 ? [`Drawn is ${measure.column.label}; the table shows every measure.`] : []),
    ],
  }
}
