import { beginRollup } from './build'
import { Folding, Values } from './folding'
import { countKey, leastKey, mostKey, ROWS_KEY } from './keys'
import { readingOf } from './reading'
import { dropRollup, rollupsOf, saveRollup } from './store'
import type { Rollup, Shape } from './store'
import { Pace } from '../pace'
import type { LiveDataset } from '../physical'
import { queryCatalogue } from '../query-catalogue'
import type { Room } from '../room'
import { groupTable, lastRow, quoted } from '../tables'
import type { Calendar } from '../contract'
import type { ScopeWire } from '../../access/scope'
import type { ColumnKey } from '../../shared/sources'

/** Groups of one rollup, and numbers of all that are made in one reading: they are held in memory meanwhile. */
const GROUPS_MAX = 60_000
const CELLS_TOGETHER_MAX = 3_000_000
/** Fewer rows than these for each group are read as fast as the groups. */
const ROWS_A_GROUP = 4
/** Groups written in one go at first. */
const GROUPS_FIRST = 5_000
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
  const foldings = making.map(({ folding }) => folding)
  const reading = readingOf(room, { ...at, catalogue, dataset })
  const pace = new Pace(room)
  const last = lastRow(room, { n: dataset.tableSet })
  for (let from = 1; from <= last;) {
    if (!isSame(room, at, dataset)) return false
    const to = from + pace.rows
    const wanted = foldings.filter(({ given }) => !given)
    if (wanted.length === 0) break
    await pace.piece(() => {
      reading.slice({ from, to }, wanted)
      keepWithin(wanted)
    })
    from = to
  }
  for (const made of making)
    if (!made.folding.given && !(await written(room, { ...made, ...at, dataset, values: reading.values }))) return false
  return true
}

/** The widest ones go when all of them together become too many. */
function keepWithin(foldings: readonly Folding[]): void {
  const cells = foldings.reduce((sum, folding) => sum + folding.cells, 0)
  if (cells > CELLS_TOGETHER_MAX) foldings.toSorted((a, b) => b.cells - a.cells)[0]?.giveUp()
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
  const pace = new Pace(room, GROUPS_FIRST)
  for (let from = 0; from < lines.length;) {
    if (!isSame(room, at, dataset)) {
      room.atomically(() => dropRollup(room, rollup))
      return false
    }
    const some = lines.slice(from, from + pace.rows)
    await pace.piece(() => room.atomically(() => room.sql.exec(insert, JSON.stringify(some))))
    from += some.length
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
