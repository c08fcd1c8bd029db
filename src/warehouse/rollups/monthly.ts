import { beginRollup } from './build'
import { RollupAggregator, ValueDictionary } from './folding'
import { countKey, leastKey, mostKey, ROWS_KEY } from './keys'
import { rollupReader } from './reading'
import { dropRollup, rollupsOf, saveRollup, type Rollup, type RollupShape } from './store'
import { AdaptiveBatch } from '../adaptive-batch'
import type { LiveDataset } from '../physical-layout'
import { queryCatalogue } from '../query-catalogue'
import type { WarehouseContext } from '../context'
import { groupTable, lastRowNumber, quotedName } from '../tables'
import type { ScopeWire } from '../../identity/scope'
import type { Calendar } from '../../shared/dates'
import type { ColumnKey } from '../../shared/data-sources/files'

/** Groups of one rollup, and numbers of all that are made in one reading: they are held in memory meanwhile. */
const GROUPS_MAX = 60_000
const CELLS_TOGETHER_MAX = 3_000_000
/** Fewer rows than these for each group are read as fast as the groups. */
const ROWS_A_GROUP = 4
/** Groups written in one go at first. */
const GROUPS_FIRST = 5_000
export const MONTHLY_MAX = 24

interface RollupInProgress {
  shape: RollupShape
  folding: RollupAggregator
}

/**
 * Makes rollups by month, all in one reading of the rows, in slices. What does not fold into few groups is left out. False
 * when the rows were swapped meanwhile: what was made is of no use.
 */
export async function buildMonthlyRollups(
  context: WarehouseContext,
  at: { scope: ScopeWire; calendar: Calendar; datasetId: string; shapes: readonly RollupShape[] },
): Promise<boolean> {
  const catalogue = queryCatalogue(context, at.scope)
  const dataset = catalogue.find(at.datasetId)
  if (!dataset) return false
  context.transaction(() => dropUnfinished(context, dataset))
  const max = Math.min(GROUPS_MAX, dataset.rowCount / ROWS_A_GROUP)
  const making = at.shapes.map((shape): RollupInProgress => ({
    shape,
    folding: new RollupAggregator({ ...shape, max }),
  }))
  const foldings = making.map(({ folding }) => folding)
  const reading = rollupReader(context, { ...at, catalogue, dataset })
  const pace = new AdaptiveBatch(context)
  const last = lastRowNumber(context, { n: dataset.tableSet })
  for (let from = 1; from <= last;) {
    if (!isSame(context, at, dataset)) return false
    const to = from + pace.size
    const wanted = foldings.filter(({ isAbandoned }) => !isAbandoned)
    if (wanted.length === 0) break
    await pace.run(() => {
      reading.slice({ from, to }, wanted)
      limitMemory(wanted)
    })
    from = to
  }
  for (const made of making)
    if (!made.folding.isAbandoned && !(await writeRollup(context, { ...made, ...at, dataset, values: reading.values })))
      return false
  return true
}

/** The widest ones go when all of them together become too many. */
function limitMemory(foldings: readonly RollupAggregator[]): void {
  const cells = foldings.reduce((sum, folding) => sum + folding.cells, 0)
  if (cells > CELLS_TOGETHER_MAX) foldings.toSorted((a, b) => b.cells - a.cells)[0]?.abandon()
}

/** What an earlier reading that died left. Call inside a transaction. */
function dropUnfinished(context: WarehouseContext, { id }: LiveDataset): void {
  for (const rollup of rollupsOf(context, id))
    if (rollup.shape.monthly === true && rollup.state === 'building') dropRollup(context, rollup)
}

function isSame(context: WarehouseContext, at: { scope: ScopeWire; datasetId: string }, before: LiveDataset): boolean {
  const now = queryCatalogue(context, at.scope).find(at.datasetId)
  return now?.tableSet === before.tableSet && now.dataVersion === before.dataVersion
}

/** Writes what was folded, in slices; it answers nothing before all of it stands. */
async function writeRollup(
  context: WarehouseContext,
  at: RollupInProgress & {
    scope: ScopeWire
    datasetId: string
    dataset: LiveDataset
    values: ReadonlyMap<ColumnKey, ValueDictionary>
  },
): Promise<boolean> {
  const { shape, folding, dataset } = at
  const rollup = context.transaction(() => beginRollup(context, dataset, shape))
  const kept = [ROWS_KEY, ...shape.measures.flatMap((key) => [key, countKey(key), leastKey(key), mostKey(key)])]
  const insert = insertInto(rollup, [...shape.dims, ...kept])
  const lines = [...folding.lines(shape.dims.map((key) => at.values.get(key) ?? new ValueDictionary()))]
  const pace = new AdaptiveBatch(context, GROUPS_FIRST)
  for (let from = 0; from < lines.length;) {
    if (!isSame(context, at, dataset)) {
      context.transaction(() => dropRollup(context, rollup))
      return false
    }
    const some = lines.slice(from, from + pace.size)
    await pace.run(() => context.transaction(() => context.sql.exec(insert, JSON.stringify(some))))
    from += some.length
  }
  if (!isSame(context, at, dataset)) return false
  const whole = folding.whole()
  context.transaction(() => saveRollup(context, { ...rollup, state: 'ready', rows: lines.length, whole }))
  return true
}

function insertInto(rollup: Rollup, columns: readonly ColumnKey[]): string {
  const values = columns.map((_, n) => `value ->> ${n}`)
  return `INSERT INTO ${groupTable(rollup, 0)} (${columns.map(quotedName).join(', ')}) SELECT ${values.join(', ')} FROM json_each(?)`
}
