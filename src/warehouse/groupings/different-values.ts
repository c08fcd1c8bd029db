import type { GroupingMap, GroupingMapSpec } from './store'
import type { ColumnSources } from '../columns/column-table'
import type { ColumnVectors, RowSource } from '../columns/column-vectors'
import { rowScans } from '../columns/row-scan'
import type { ChunkPlace } from '../columns/vectors'
import type { WarehouseContext } from '../context'
import type { PlanContext } from '../query/query-context'

/**
 * Writes the different values of a column into a map, a chunk at each step, however the column is made.
 * @param of `planContext` sees all rows with all columns
 * @throws ExceedsBounds for computed values that take more than a question may hold
 */
export function* collectValues(
  context: WarehouseContext,
  { dataset, column }: Pick<GroupingMapSpec, 'dataset' | 'column'>,
  { map, planContext, sources }: { map: GroupingMap; planContext: PlanContext; sources: ColumnSources },
): Generator<void, void> {
  const source = rowScans(planContext, sources)(dataset.id)
  const vectors = source.along([], column.key, false)
  const add = vectors.column.type === 'text' ? textsOf(context, map, vectors) : numbersOf(context, map, vectors)
  for (const place of placesOf(source)) {
    add(place)
    yield
  }
}

function* placesOf({ table }: RowSource): Generator<ChunkPlace> {
  for (const [chunk, rows] of table.chunks.entries()) yield { chunk, rows }
}

/** Texts without a dictionary are told apart by the map alone. */
function textsOf(context: WarehouseContext, map: GroupingMap, vectors: ColumnVectors): (place: ChunkPlace) => void {
  const texts = vectors.texts()
  const cells = texts.cells()
  const seen = new Set<number>([0])
  return (place) => {
    const added = new Set<string>()
    if (cells) {
      const reader = cells(place)
      for (let row = 0; row < place.rows; row += 1) {
        const text = reader.text(row)
        if (text !== null) added.add(text)
      }
    } else {
      const codes = texts.codes()(place)
      for (let row = 0; row < place.rows; row += 1) {
        const code = codes[row] ?? 0
        if (seen.has(code)) continue
        seen.add(code)
        added.add(texts.wordAt(code) ?? '')
      }
    }
    insertAll(context, map, [...added])
  }
}

function numbersOf(context: WarehouseContext, map: GroupingMap, vectors: ColumnVectors): (place: ChunkPlace) => void {
  const numbers = vectors.numbers()
  const seen = new Set<number>([Number.NaN])
  return (place) => {
    const values = numbers(place)
    const added: number[] = []
    for (let row = 0; row < place.rows; row += 1) {
      const value = values[row] ?? Number.NaN
      if (seen.has(value)) continue
      seen.add(value)
      added.push(value)
    }
    insertNumbers(context, map, added)
  }
}

/** A text that one parameter can carry has two megabytes, a letter up to six bytes. */
const PART_CHARS = 300_000
function insertAll({ sql: store }: WarehouseContext, { n }: GroupingMap, values: readonly (string | number)[]): void {
  const insert = `INSERT OR IGNORE INTO gm${n} (gv) SELECT value FROM json_each(?)`
  let [part, chars]: [(string | number)[], number] = [[], 0]
  for (const value of values) {
    part.push(value)
    chars += String(value).length + 1
    if (chars < PART_CHARS) continue
    store.exec(insert, JSON.stringify(part))
    ;[part, chars] = [[], 0]
  }
  if (part.length > 0) store.exec(insert, JSON.stringify(part))
}

const PARAMETERS = 90
/** Others than whole numbers go as they are: their text may be another number. */
function insertNumbers(context: WarehouseContext, map: GroupingMap, values: readonly number[]): void {
  insertAll(context, map, values.filter(Number.isSafeInteger))
  const others = values.filter((value) => !Number.isSafeInteger(value))
  for (let at = 0; at < others.length; at += PARAMETERS) {
    const some = others.slice(at, at + PARAMETERS)
    context.sql.exec(`INSERT OR IGNORE INTO gm${map.n} (gv) VALUES ${some.map(() => '(?)').join(', ')}`, ...some)
  }
}
