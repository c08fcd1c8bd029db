import { fillTexts } from './fill-texts'
import {
  chunkOf,
  columnEnds,
  columnWords,
  deleteChunks,
  deleteColumn,
  insertColumnChunk,
  insertRowChunks,
  rowChunks,
  textRows,
  type RowChunk,
} from './segment-store'
import type { StagedChunks } from './staged-columns'
import { AdaptiveBatch } from '../adaptive-batch'
import { CHUNK_ROWS } from '../columns/chunk'
import { ColumnEncoder, keepWithin } from '../columns/column-encoder'
import { WORD_CHARS_MAX } from '../columns/dictionary'
import type { WarehouseContext } from '../context'
import { findTableSet, groupTable, lastRowNumber, quotedName, type TableSet } from '../tables'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** Columns whose values are gathered at a time, half a megabyte each, and how many of these may have a dictionary. */
const COLUMNS_AT_ONCE = 24
const TEXTS_AT_ONCE = 4
/** Of so few rows any number of columns fits. */
const FEW_ROWS = 4096
/** What the dictionaries of all columns that are gathered at a time may hold together, looked at every so many rows. */
const CHARS_AT_ONCE = TEXTS_AT_ONCE * WORD_CHARS_MAX
const ROWS_BETWEEN_LOOKS = 64

/** Thrown within this file only: the rows were changed meanwhile. */
class RowsChanged extends Error {}

/**
 * Writes the columns of a set that no query sees yet. Waiting calls go between.
 * @param staged what was encoded while the rows came; null: all of it is made of the rows
 */
export async function fillStagedColumns(
  context: WarehouseContext,
  set: TableSet,
  staged: StagedChunks | null,
): Promise<void> {
  if (!staged) {
    context.transaction(() => deleteChunks(context, set.n))
    return fillColumns(context, set)
  }
  const others = set.columns.filter((column) => isOtherwise(column, staged))
  const large = set.columns.filter(({ key }) => staged.states.get(key) === 'large')
  for (const { key } of [...others, ...large]) deleteColumn(context, { tableSet: set.n, key })
  const batch = new AdaptiveBatch({ clock: context.clock, pause: () => context.pause() })
  const chunks = staged.chunks.map(({ chunk }) => chunk)
  const texts = new Map(large.map(({ key }) => [key, chunks]))
  await unlessChanged(async () => {
    await fillAll(context, set, { columns: others, missing: chunks, all: chunks, texts, batch })
    context.transaction(() => {
      assertUnchanged(context, set)
      insertRowChunks(context, set.n, staged.chunks)
    })
  })
}
/** Whether a column's values lie otherwise now than they came. */
const isOtherwise = ({ key, scale }: Column, { states, scales }: StagedChunks): boolean =>
  states.get(key) !== 'large' && (states.get(key) !== 'within' || scales.get(key) !== scale)

/**
 * Writes the chunks of a set that are not there; ends early, without harm, when rows change meanwhile: whoever changed them
 * has this called again.
 */
export async function fillColumns(context: WarehouseContext, set: TableSet): Promise<void> {
  const known = rowChunks(context, set.n)
  const isKnown = new Set(known.map(({ chunk }) => chunk))
  const last = lastRowNumber(context, set)
  const all = last === 0 ? [] : Array.from({ length: chunkOf(last) + 1 }, (_, i) => i)
  const missing = all.filter((chunk) => !isKnown.has(chunk))
  if (missing.length === 0) return
  const texts = textsMissing(context, set, { known, missing })
  const columns = set.columns.filter(({ key }) => !texts.has(key))
  const batch = new AdaptiveBatch({ clock: context.clock, pause: () => context.pause() })
  await unlessChanged(async () => {
    const made = await fillAll(context, set, { columns, missing, all, texts, batch })
    context.transaction(() => {
      assertUnchanged(context, set)
      insertRowChunks(context, set.n, made)
    })
  })
}

/** Which chunks are not there of columns whose texts are kept as such. */
function textsMissing(
  context: WarehouseContext,
  set: TableSet,
  { known, missing }: { known: readonly RowChunk[]; missing: readonly number[] },
): Map<ColumnKey, number[]> {
  const texts = set.columns.filter(({ type }) => type === 'text')
  return new Map(
    texts.flatMap(({ key }): [ColumnKey, number[]][] => {
      const at = { tableSet: set.n, key }
      const rows = textRows(context, at)
      const coded = columnEnds(context, at)
      // With a dictionary, all chunks that count have codes.
      if (rows.size === 0 && known.every(({ chunk }) => coded.has(chunk))) return []
      const lost = known.filter((each) => rows.get(each.chunk) !== each.rows)
      return [[key, [...lost.map(({ chunk }) => chunk), ...missing]]]
    }),
  )
}

interface FillRequest {
  columns: readonly Column[]
  /** Chunks to be made, and all there are. */
  missing: readonly number[]
  all: readonly number[]
  /** Columns whose texts are kept as such, with the chunks that are not there. */
  texts: ReadonlyMap<ColumnKey, readonly number[]>
  batch: AdaptiveBatch
}

/** Answers how many rows each chunk that was made has. */
async function fillAll(context: WarehouseContext, set: TableSet, ask: FillRequest): Promise<RowChunk[]> {
  const { columns, missing, all, batch } = ask
  const texts = new Map(ask.texts)
  let made: RowChunk[] = []
  for (const some of columnBatches(set, columns, lastRowNumber(context, set))) {
    const { chunks, large } = await fillBatch(context, set, { columns: some, missing, batch })
    made = chunks
    for (const key of large) texts.set(key, all)
  }
  const unchanged = (): void => assertUnchanged(context, set)
  for (const [key, chunks] of texts) await fillTexts(context, set, { key, chunks, batch, assertUnchanged: unchanged })
  return made.length > 0 ? made : missing.flatMap((chunk) => rowsOf(context, set, chunk))
}
/** Of a set that has nothing but such texts. */
function rowsOf(context: WarehouseContext, set: TableSet, chunk: number): RowChunk[] {
  const [key] = set.columns.map((column) => column.key)
  const rows = key === undefined ? 0 : (textRows(context, { tableSet: set.n, key }).get(chunk) ?? 0)
  return rows > 0 ? [{ chunk, rows }] : []
}

async function unlessChanged(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof RowsChanged)) throw error
  }
}

function assertUnchanged(context: WarehouseContext, set: TableSet): void {
  const now = findTableSet(context, set.n)
  if (!now || now.kind !== set.kind || now.tip !== set.tip) throw new RowsChanged()
}

/** Columns of one table each, so few at a time that their values and dictionaries fit. */
function columnBatches(set: TableSet, wanted: readonly Column[], rows: number): { group: number; columns: Column[] }[] {
  const [most, mostTexts] = rows <= FEW_ROWS ? [Infinity, Infinity] : [COLUMNS_AT_ONCE, TEXTS_AT_ONCE]
  const byKey = new Map(wanted.map((column) => [column.key, column]))
  return set.layout.flatMap((keys, group) => {
    const batches: { group: number; columns: Column[] }[] = []
    let [own, texts]: [Column[], number] = [[], 0]
    for (const key of keys) {
      const column = byKey.get(key)
      if (!column) continue
      const isText = column.type === 'text'
      if (own.length === most || (isText && texts === mostTexts)) {
        batches.push({ group, columns: own })
        ;[own, texts] = [[], 0]
      }
      own.push(column)
      texts += Number(isText)
    }
    return own.length > 0 ? [...batches, { group, columns: own }] : batches
  })
}

interface BatchRequest {
  columns: { group: number; columns: Column[] }
  missing: readonly number[]
  batch: AdaptiveBatch
}

/** Answers how many rows each chunk has, and which columns have too many different texts. */
async function fillBatch(
  context: WarehouseContext,
  set: TableSet,
  { columns: { group, columns }, missing, batch }: BatchRequest,
): Promise<{ chunks: RowChunk[]; large: ColumnKey[] }> {
  const encoders = columns.map(
    (column) => new ColumnEncoder(column, columnWords(context, { tableSet: set.n, key: column.key }), 'rows'),
  )
  const made: RowChunk[] = []
  for (const chunk of missing) {
    let rows = 0
    const end = (chunk + 1) * CHUNK_ROWS
    for (let after = chunk * CHUNK_ROWS; after < end;) {
      const to = Math.min(end, after + batch.size)
      rows += await batch.run(() => {
        assertUnchanged(context, set)
        return gather(context, set, { group, columns, encoders, after, to })
      })
      after = to
    }
    context.transaction(() => {
      assertUnchanged(context, set)
      for (const encoder of encoders) {
        const of = encoder.take()
        if (of) insertColumnChunk(context, set.n, { chunk, of })
        else deleteColumn(context, { tableSet: set.n, key: encoder.key })
      }
    })
    await context.pause()
    if (rows > 0) made.push({ chunk, rows })
  }
  return { chunks: made, large: encoders.flatMap(({ key, state }) => (state === 'large' ? [key] : [])) }
}

function gather(
  context: WarehouseContext,
  set: TableSet,
  of: { group: number; columns: Column[]; encoders: ColumnEncoder[]; after: number; to: number },
): number {
  const names = of.columns.map(({ key }) => quotedName(key)).join(', ')
  const query = `SELECT ${names} FROM ${groupTable(set, of.group)} WHERE r > ? AND r <= ? ORDER BY r`
  let rows = 0
  for (const cells of context.sql.exec(query, of.after, of.to).raw()) {
    for (const [i, encoder] of of.encoders.entries()) {
      const cell = cells[i] ?? null
      encoder.add(cell instanceof ArrayBuffer ? null : cell)
    }
    rows += 1
    if (rows % ROWS_BETWEEN_LOOKS === 0) keepWithin(of.encoders, CHARS_AT_ONCE)
  }
  keepWithin(of.encoders, CHARS_AT_ONCE)
  return rows
}
