import { beginRollup } from './build'
import { Folding, Values } from './folding'
import { countKey, leastKey, mostKey, ROWS_KEY } from './keys'
import { dropRollup, rollupsOf, saveRollup } from './store'
import type { Rollup, Shape } from './store'
import type { LiveDataset } from '../physical'
import { queryCatalogue } from '../query-catalogue'
import { firstOfMonth, monthIndexOf, MS_PER_DAY } from '../query/days'
import { executor } from '../query/execute'
import { graphOf } from '../query/graph-of'
import { columnAt, dayNumberOf, refOf, sourceOf } from '../query/source'
import { bind, join, name, sql } from '../query/sql'
import type { Sql } from '../query/sql'
import { worldOf } from '../query/world'
import type { Room } from '../room'
import { groupTable, lastRow, quoted } from '../tables'
import type { Calendar } from '../contract'
import type { ScopeWire } from '../../access/scope'
import type { ColumnKey } from '../../shared/sources'

/** Rows read in one go, groups written in one go: some tens of milliseconds each. Between two, whatever waits runs. */
const SLICE_ROWS = 12_500
const SLICE_GROUPS = 5_000
/** Groups of one rollup, and of all that are made in one reading: they are held in memory meanwhile. */
const GROUPS_MAX = 60_000
/** Fewer rows than these for each group are read as fast as the groups. */
const ROWS_A_GROUP = 4
const GROUPS_TOGETHER_MAX = 200_000
export const MONTHLY_MAX = 24

interface Making {
  shape: Shape
  folding: Folding
}

/**
 * Makes rollups by month, all in one reading of the rows, in slices. What does not fold into few groups is left out. False
 * when the rows were swapped meanwhile: what was made is of no use.
 */
export async function makeMonthly(
  room: Room,
  at: { scope: ScopeWire; calendar: Calendar; datasetId: string; shapes: readonly Shape[] },
): Promise<boolean> {
  const catalogue = queryCatalogue(room, at.scope)
  const dataset = catalogue.find(at.datasetId)
  if (!dataset) return false
  room.atomically(() => dropHalves(room, dataset))
  const max = Math.min(GROUPS_MAX, dataset.rowCount / ROWS_A_GROUP)
  const making = at.shapes.map((shape): Making => ({ shape, folding: new Folding({ ...shape, max }) }))
  const reading = readingOf(room, { ...at, catalogue, dataset, making })
  const last = lastRow(room, { n: dataset.tableSet })
  for (let from = 1; from <= last; from += SLICE_ROWS) {
    if (!isSame(room, at, dataset)) return false
    reading.slice(from, from + SLICE_ROWS)
    await room.pause()
  }
  for (const made of making)
    if (!made.folding.given && !(await written(room, { ...made, ...at, dataset, values: reading.values }))) return false
  return true
}

/** What an earlier reading that died left. Call inside a transaction. */
function dropHalves(room: Room, { id }: LiveDataset): void {
  for (const rollup of rollupsOf(room, id))
    if (rollup.shape.monthly === true && rollup.state === 'building') dropRollup(room, rollup)
}

function isSame(room: Room, at: { scope: ScopeWire; datasetId: string }, before: LiveDataset): boolean {
  const now = queryCatalogue(room, at.scope).find(at.datasetId)
  return now?.tableSet === before.tableSet && now.dataVersion === before.dataVersion
}

interface Reading {
  values: Map<ColumnKey, Values>
  slice(from: number, to: number): void
}

/** Every column that is asked for, read once. */
function readingOf(
  room: Room,
  of: {
    scope: ScopeWire
    calendar: Calendar
    catalogue: ReturnType<typeof queryCatalogue>
    dataset: LiveDataset
    making: readonly Making[]
  },
): Reading {
  const { scope, calendar, catalogue, dataset, making } = of
  const means = { graph: graphOf(catalogue), period: null, execute: executor(room.sql) }
  const world = worldOf({ scope, calendar, catalogue }, means)
  const source = sourceOf(world, dataset.id)
  const dims = [...new Set(making.flatMap(({ shape }) => shape.dims))]
  const measures = [...new Set(making.flatMap(({ shape }) => shape.measures))]
  const typeOf = (key: ColumnKey) => columnAt(source.root, key).type
  const dated = dims.map((key) => typeOf(key) === 'date' || typeOf(key) === 'datetime')
  const units = dims.map((key) => (typeOf(key) === 'datetime' ? MS_PER_DAY : 1))
  const picked: Sql[] = [
    ...dims.map((key, n) => (dated[n] ? dayNumberOf(columnAt(source.root, key)) : refOf(columnAt(source.root, key)))),
    ...measures.map((key) => refOf(columnAt(source.root, key))),
  ]
  const columns = join(
    picked.map((piece, n) => sql`${piece} AS ${name(`k${n}`)}`),
    ', ',
  )
  const values = new Map(dims.map((key) => [key, new Values()]))
  const months = dims.map(() => new Map<number, number>())
  const monthOf = (day: number, n: number): number => {
    const known = months[n]?.get(day)
    if (known !== undefined) return known
    const start = firstOfMonth(monthIndexOf(day)) * (units[n] ?? 1)
    months[n]?.set(day, start)
    return start
  }
  const interned = dims.map((key) => values.get(key) ?? new Values())
  const plans = making.map(({ shape, folding }) => ({
    folding,
    dims: shape.dims.map((key) => dims.indexOf(key)),
    measures: shape.measures.map((key) => dims.length + measures.indexOf(key)),
  }))
  return {
    values,
    slice(from, to) {
      const query = sql`SELECT ${columns} FROM ${world.from(source)} WHERE rid >= ${bind(from)} AND rid < ${bind(to)}`
      const { text, values: bound } = query.render()
      for (const row of room.sql.exec(text, ...bound).raw()) {
        const ids = interned.map((own, n) => {
          const value = row[n] ?? null
          return own.idOf(dated[n] && typeof value === 'number' ? monthOf(value, n) : value)
        })
        for (const { folding, dims: at, measures: added } of plans)
          if (!folding.given)
            folding.add(
              at.map((n) => ids[n] ?? 0),
              added.map((n) => row[n] ?? null),
            )
      }
      const together = plans.reduce((sum, { folding }) => sum + folding.size, 0)
      if (together > GROUPS_TOGETHER_MAX) plans.toSorted((a, b) => b.folding.size - a.folding.size)[0]?.folding.giveUp()
    },
  }
}

/** Writes what was folded, in slices; it answers nothing before all of it stands. */
async function written(
  room: Room,
  at: Making & {
    scope: ScopeWire
    datasetId: string
    dataset: LiveDataset
    values: ReadonlyMap<ColumnKey, Values>
  },
): Promise<boolean> {
  const { shape, folding, dataset } = at
  const rollup = room.atomically(() => beginRollup(room, dataset, shape))
  const kept = [ROWS_KEY, ...shape.measures.flatMap((key) => [key, countKey(key), leastKey(key), mostKey(key)])]
  const insert = insertInto(rollup, [...shape.dims, ...kept])
  const lines = [...folding.lines(shape.dims.map((key) => at.values.get(key) ?? new Values()))]
  for (let from = 0; from < lines.length; from += SLICE_GROUPS) {
    if (!isSame(room, at, dataset)) {
      room.atomically(() => dropRollup(room, rollup))
      return false
    }
    room.atomically(() => room.sql.exec(insert, JSON.stringify(lines.slice(from, from + SLICE_GROUPS))))
    await room.pause()
  }
  if (!isSame(room, at, dataset)) return false
  const whole = folding.whole()
  room.atomically(() => saveRollup(room, { ...rollup, state: 'ready', rows: lines.length, whole }))
  return true
}

function insertInto(rollup: Rollup, columns: readonly ColumnKey[]): string {
  const values = columns.map((_, n) => `value ->> ${n}`)
  return `INSERT INTO ${groupTable(rollup, 0)} (${columns.map(quoted).join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`
}
