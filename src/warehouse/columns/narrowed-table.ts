import { CHUNK_ROWS } from './chunk'
import type { ColumnSources, ColumnTable } from './column-table'
import type { PassingRows, PickedRows, RowBits } from './kept-mask'
import { pacing } from './pacing'
import type { QuerySteps } from '../scheduling/query-scheduler'

/** Of so many rows one passes, or fewer: then the others are not read at all. */
const PICKED_SHARE = 2
/** Of telling which rows pass, in rows of a sum. */
const TELL_WORK = 1
/** Rows whose places are kept, two bytes each; of more they are found whenever a chunk is read. */
const KEPT_MAX = 2 ** 20

/** Which rows are asked for: those that pass all of these, in chunks that matter. */
interface RowSelection {
  passing: readonly PassingRows[]
  /** Whether a chunk matters: none of the others is read. */
  mayHold: (chunk: number) => boolean
}

/** Null: they are too many for it to pay that they are picked. */
export function* pickedRows(
  { chunks }: Pick<ColumnTable, 'chunks'>,
  { passing, mayHold }: RowSelection,
  { pickedRows: known }: Pick<ColumnSources, 'pickedRows'>,
): QuerySteps<PickedRows | null> {
  const held = [...chunks.keys()].filter(mayHold)
  const id = [...passing.map(({ kept: { name } }) => name), held.length === chunks.length ? 'all' : held.join()].join(
    ' ',
  )
  const before = known?.find(id)
  if (before) return before.rows
  const isDue = pacing()
  const [bits, counts]: [RowBits[], number[]] = [chunks.map(() => 'none' as const), chunks.map(() => 0)]
  let [left, picked] = [0, 0]
  for (const chunk of held) {
    const rows = chunks[chunk] ?? 0
    const own = commonRows(passing, { chunk, rows })
    const count = own === 'all' ? rows : own === 'none' ? 0 : countOf(own)
    bits[chunk] = own
    counts[chunk] = count
    left += rows
    picked += count
    if (isDue(rows * TELL_WORK * passing.length)) yield
  }
  const isNamed = held.every((chunk) => passing.every((each) => each.kept.isTold(chunk)))
  const found = picked * PICKED_SHARE <= left ? placed({ bits, counts, picked, chunks }) : null
  if (isNamed) known?.read(id, () => ({ rows: found }))
  return found
}

function placed({
  bits,
  counts,
  picked,
  chunks,
}: {
  bits: readonly RowBits[]
  counts: readonly number[]
  picked: number
  chunks: readonly number[]
}): PickedRows {
  if (picked <= KEPT_MAX) {
    const all = bits.map((own, chunk) => placesOf(own, chunks[chunk] ?? 0, new Uint16Array(counts[chunk] ?? 0)))
    return { counts, places: (chunk) => all[chunk] ?? NONE, bytes: picked * Uint16Array.BYTES_PER_ELEMENT }
  }
  const to = new Uint16Array(CHUNK_ROWS)
  const places = (chunk: number): Uint16Array => placesOf(bits[chunk] ?? 'none', chunks[chunk] ?? 0, to)
  const bytes = bits.reduce((sum, own) => sum + (typeof own === 'string' ? 0 : own.length), to.byteLength)
  return { counts, places, bytes }
}
const NONE = new Uint16Array(0)

function commonRows(passing: readonly PassingRows[], place: { chunk: number; rows: number }): RowBits {
  let common: RowBits = 'all'
  let isOwn = false
  for (const { bits } of passing) {
    const next: RowBits = common === 'none' ? 'none' : bits(place)
    if (common === 'all') common = next
    else if (next === 'none' || common === 'none') common = 'none'
    else if (next !== 'all') {
      if (!isOwn) common = common.slice()
      isOwn = true
      for (let i = 0; i < common.length; i += 1) common[i] = (common[i] ?? 0) & (next[i] ?? 0)
    }
  }
  return common
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let ones = 0
  for (let left = byte; left > 0; left &= left - 1) ones += 1
  return ones
})
function countOf(bits: Uint8Array): number {
  let count = 0
  for (let i = 0; i < bits.length; i += 1) count += ONES[bits[i] ?? 0] ?? 0
  return count
}

function placesOf(bits: RowBits, rows: number, to: Uint16Array): Uint16Array {
  if (bits === 'none') return NONE
  let at = 0
  if (bits === 'all') for (; at < rows; at += 1) to[at] = at
  else
    for (let i = 0; i < bits.length; i += 1)
      for (let left = bits[i] ?? 0; left > 0; left &= left - 1) {
        to[at] = i * 8 + 31 - Math.clz32(left & -left)
        at += 1
      }
  return to.subarray(0, at)
}

/** The table with these rows alone. What it hands out holds until another chunk is read. */
export function narrowedTable(table: ColumnTable, { counts, places }: PickedRows): ColumnTable {
  const chunks = counts.flatMap((count, chunk) => (count === 0 ? [] : [chunk]))
  const stored = (at: number): number => {
    const chunk = chunks[at]
    if (chunk === undefined) throw new Error('A chunk is missing.')
    return chunk
  }
  let read: { chunk: number; picked: Uint16Array } | null = null
  const picked = (at: number): Uint16Array => {
    const chunk = stored(at)
    if (read?.chunk !== chunk) read = { chunk, picked: places(chunk) }
    return read.picked
  }
  return {
    ...table,
    chunks: chunks.map((chunk) => counts[chunk] ?? 0),
    rows: counts.reduce((sum, count) => sum + count, 0),
    read: (key, at) => ({ ...table.read(key, stored(at)), picked: picked(at) }),
    ends: (key, at) => table.ends(key, stored(at)),
    readTexts: (key, { chunk, row }) => table.readTexts(key, { chunk: stored(chunk), row }),
    picked,
  }
}
