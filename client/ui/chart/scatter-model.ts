import type { QueryResult, ResultColumn } from '../../../src/shared/query-result'
import { dimensionGroupAt, dimensionGroups, columnsOfKind } from './chart-model'
import { toNumber } from './figure-format'
import type { CellFormatter } from './figure-format'

/** Groups as points: the first measure across, the second upwards; a second split gives the colour. */
export interface ScatterModel {
  across: ResultColumn
  up: ResultColumn
  /** What one point is: "country". */
  of: string
  groups: ScatterGroup[]
  notes: string[]
}
export interface ScatterGroup {
  key: string
  name: string
  value: string | number | boolean | null
  other: boolean
  points: ScatterPoint[]
}
export interface ScatterPoint {
  name: string
  x: number
  y: number
  other: boolean
  row: number
}

const GROUPS_MAX = 12

/** @returns null without two measures and one or two splits */
export function scatterModel(result: QueryResult, format: CellFormatter): ScatterModel | null {
  const dimensions = columnsOfKind(result, 'dimension')
  const [across, up] = columnsOfKind(result, 'measure')
  const [first, second] = dimensions
  if (!across || !up || !first || dimensions.length > 2) return null
  // Names tell groups apart better than days do.
  const colour = second && first.column.grain === undefined && second.column.grain !== undefined ? first : second
  const points = result.rows.flatMap((cells, row) => {
    const [x, y] = [toNumber(cells[across.at]), toNumber(cells[up.at])]
    if (x === null || y === null) return []
    const name = dimensions.map(({ column, at }) => format.label(cells[at] ?? null, column)).join(', ')
    const other = dimensions.some(({ at }) => dimensionGroupAt(result, row, at).other)
    return [{ name, x, y, other, row, group: colour ? dimensionGroupAt(result, row, colour.at).key : '' }]
  })
  const named = colour ? dimensionGroups(result, colour.at) : [{ key: '', value: null, other: false }]
  const groups = named.map(({ key, value, other }) => ({
    key,
    name: colour ? format.label(value, colour.column) : across.column.label,
    value,
    other,
    points: points.filter((point) => point.group === key),
  }))
  const lacking = result.rows.length - points.length
  const missing = lacking === 1 ? '1 group lacks' : `${lacking} groups lack`
  return {
    across: across.column,
    up: up.column,
    of: dimensions.map(({ column }) => column.label).join(', '),
    groups: groups.slice(0, GROUPS_MAX),
    notes: [
      ...(lacking > 0 ? [`${missing} one of the two figures and cannot be drawn.`] : []),
      ...(groups.length > GROUPS_MAX
        ? [`${GROUPS_MAX} of ${groups.length} groups are drawn; the table shows all.`]
        : []),
    ],
  }
}
