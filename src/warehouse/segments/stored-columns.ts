import { groupLevels } from '../groupings/store'
import { ratesOfSet, type RatesByDay } from '../rate-store'
import { notConverted } from './convert-rows'
import { damagedRows } from './damage'
import {
  columnEnds,
  columnWords,
  lastWordsOf,
  readColumnChunk,
  readDeletionVector,
  readTexts,
  textChunks,
  type ChunkEnds,
  type StoredChunk,
} from './segment-store'
import { RecentlyRead } from './recently-read'
import { countLiveRows, hasColumn, liveRows, type Manifest, type ManifestChunk } from './manifest'
import type { ColumnSources, ColumnTable } from '../columns/column-table'
import { decodeCodes, encodeNumbers, isIntact, type EncodedChunk } from '../columns/chunk'
import type { KeptMask, PickedRows } from '../columns/kept-mask'
import { encodeTexts, withoutDeleted } from '../columns/texts/chunk-texts'
import { areTextsIntact, type EncodedTexts } from '../columns/texts/text-chunk'
import { SpareArrays } from '../columns/working-arrays'
import type { ColumnBounds } from '../contract'
import type { CurrencyTotal } from '../../shared/currencies'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { CurrencyConversion } from '../../shared/query/result'

/** Texts of dictionaries that are kept between questions, in characters; chunks, and rows that keys point at, in bytes. */
const WORDS_CHARS_MAX = 4_000_000
const CHUNK_BYTES_MAX = 24 * 2 ** 20
const KEY_ROWS_BYTES_MAX = 4 * 2 ** 20
/** A bit a row: those of 64 rules and conditions over a million rows. */
const ROW_MASKS_BYTES_MAX = 8 * 2 ** 20
/** Where rows lie that pass several of these: of the last few clicks. What keeps them takes some, whatever they are. */
const PICKED_BYTES_MAX = 4 * 2 ** 20
const PICKED_BYTES_MIN = 2 ** 14
/** Rates of a day, some hundred bytes each. */
const RATES_MAX = 40_000
/** What is told of conversions, in lines of some hundred bytes. */
const MONEY_LINES_MAX = 20_000
/** Bounds of chunks, four numbers each. Their bytes lie before one of these, so that reading them reads all of a column. */
const ENDS_MAX = 20_000
/** Days that rows lie on, of the columns that were asked for last. */
const KEPT_DAYS_MAX = 50_000
/** A column that has more is not kept: it would only take the place of others before it is read again. */
const COLUMN_BYTES_MAX = CHUNK_BYTES_MAX / 3

/** What questions read lately. Each belongs to one version of a dataset, whose rows never change. */
export interface KeptColumns {
  words: RecentlyRead<readonly string[]>
  chunks: RecentlyRead<StoredChunk>
  ends: RecentlyRead<Map<number, ChunkEnds>>
  keyRows: RecentlyRead<Int32Array>
  rowMasks: RecentlyRead<KeptMask>
  pickedRows: RecentlyRead<{ rows: PickedRows | null }>
  rates: RecentlyRead<RatesByDay>
  conversions: RecentlyRead<CurrencyConversion>
  currencies: RecentlyRead<CurrencyTotal[]>
  rowDays: RecentlyRead<readonly number[]>
  arrays: SpareArrays
}
export const keptColumns = (): KeptColumns => ({
  words: new RecentlyRead<readonly string[]>(WORDS_CHARS_MAX, (words) =>
    words.reduce((sum, word) => sum + word.length, 0),
  ),
  chunks: new RecentlyRead<StoredChunk>(CHUNK_BYTES_MAX, ({ data }) => data.byteLength),
  ends: new RecentlyRead<Map<number, ChunkEnds>>(ENDS_MAX, ({ size }) => 1 + size),
  keyRows: new RecentlyRead<Int32Array>(KEY_ROWS_BYTES_MAX, (rows) => rows.byteLength),
  rowMasks: new RecentlyRead<KeptMask>(ROW_MASKS_BYTES_MAX, ({ bytes }) => bytes),
  pickedRows: new RecentlyRead<{ rows: PickedRows | null }>(
    PICKED_BYTES_MAX,
    ({ rows }) => PICKED_BYTES_MIN + (rows?.bytes ?? 0),
  ),
  rates: new RecentlyRead<RatesByDay>(RATES_MAX, (rates) =>
    [...rates.values()].reduce((sum, days) => sum + days.size, 0),
  ),
  conversions: new RecentlyRead<CurrencyConversion>(
    MONEY_LINES_MAX,
    ({ lines, missing }) => 1 + lines.length + missing.length,
  ),
  currencies: new RecentlyRead<CurrencyTotal[]>(MONEY_LINES_MAX, (lines) => 1 + lines.length),
  rowDays: new RecentlyRead<readonly number[]>(KEPT_DAYS_MAX, (days) => 1 + days.length),
  arrays: new SpareArrays(),
})

/** What questions read of the object's SQLite. */
export const columnSources = (sql: SqlStorage, kept = keptColumns()): ColumnSources => ({
  table({ manifest, ...dataset }) {
    if (!manifest) throw notConverted()
    return storedColumns(sql, { ...dataset, manifest }, kept)
  },
  keyRows: kept.keyRows,
  rowMasks: kept.rowMasks,
  pickedRows: kept.pickedRows,
  conversions: kept.conversions,
  currencies: kept.currencies,
  rowDays: kept.rowDays,
  arrays: kept.arrays,
  groupLevels: (map, level) => groupLevels({ sql }, map, level),
  rates: (set) => kept.rates.read(String(set), () => ratesOfSet(sql, set)),
})

/** Rows as they lie in the chunks of a set. `columns`: how their values are to be read. */
export interface StoredRows {
  tableSet: number
  /** Where chunks from a number on lie that are about to be added. */
  staged?: { tableSet: number; from: number }
  manifest: Manifest
  columns: readonly Pick<Column, 'key' | 'type' | 'scale'>[]
  /** Absent: they are those of no version, and nothing of them is kept. */
  dataVersion?: number
}

/** A version's columns as they lie in the object. What is read of damaged bytes is refused ({@link damagedRows}). */
export function storedColumns(sql: SqlStorage, of: StoredRows, kept = keptColumns()): ColumnTable {
  const { tableSet, staged, manifest, columns, dataVersion } = of
  const store = { sql }
  const sets = staged ? [tableSet, staged.tableSet] : [tableSet]
  const setOf = (n: number): number => (staged && n >= staged.from ? staged.tableSet : tableSet)
  const chunks = manifest.filter((chunk) => liveRows(chunk) > 0)
  const scales = new Map(columns.map(({ key, scale }) => [key, scale]))
  const ends = new Map<ColumnKey, Map<number, ChunkEnds>>()
  const endsOf = (key: ColumnKey): Map<number, ChunkEnds> => {
    const read = () => new Map(sets.flatMap((each) => [...columnEnds(store, { tableSet: each, key })]))
    const known =
      ends.get(key) ?? (dataVersion === undefined ? read() : kept.ends.read(`${tableSet} ${dataVersion} ${key}`, read))
    ends.set(key, known)
    return known
  }
  const vectors = new Map<number, Uint8Array>()
  const vectorOf = ({ deleted, rows }: ManifestChunk): Uint8Array | undefined => {
    if (!deleted) return undefined
    const known = vectors.get(deleted.vector) ?? readDeletionVector(store, { n: deleted.vector, rows })
    vectors.set(deleted.vector, known)
    return known
  }
  const at = (chunk: number): ManifestChunk => {
    const found = chunks[chunk]
    if (!found) throw new Error('A chunk is missing.')
    return found
  }
  const texts = new Map<ColumnKey, ReadonlySet<number>>()
  const textsOf = (key: ColumnKey): ReadonlySet<number> => {
    const known = texts.get(key) ?? new Set(sets.flatMap((each) => [...textChunks(store, { tableSet: each, key })]))
    texts.set(key, known)
    return known
  }
  const wordsOf = (key: ColumnKey): readonly string[] => {
    const id = sets.map((each) => `${each} ${lastWordsOf(store, { tableSet: each, key })}`).join(' ')
    return kept.words.read(`${id} ${key}`, () => {
      const words = columnWords(store, sets, key)
      const last = [...endsOf(key).values()].reduce((most, ends) => Math.max(most, ends.most ?? 0), 0)
      if (last > words.length) throw damagedRows(sql, tableSet)
      return words
    })
  }
  const readIntact = (key: ColumnKey, { n, rows }: ManifestChunk): StoredChunk => {
    const found = readColumnChunk(store, { tableSet: setOf(n), key, chunk: n })
    if (!found || found.rows !== rows || !isIntact(found)) throw damagedRows(sql, tableSet)
    return found
  }
  const large = new Set<ColumnKey>()
  const storedChunk = (key: ColumnKey, chunk: ManifestChunk): StoredChunk => {
    if (dataVersion === undefined || large.has(key)) return readIntact(key, chunk)
    const found = kept.chunks.read(`${tableSet} ${dataVersion} ${key} ${chunk.n}`, () => readIntact(key, chunk))
    if (found.data.byteLength * chunks.length > COLUMN_BYTES_MAX) large.add(key)
    return found
  }
  const read = (key: ColumnKey, place: number): EncodedChunk => {
    const chunk = at(place)
    if (!hasColumn(chunk, key)) return emptyChunk(liveRows(chunk))
    const found = storedChunk(key, chunk)
    const scaling = scalingOf(found.scale, scales.get(key))
    const deleted = vectorOf(chunk)
    return { ...found, ...(scaling ? { scaling } : {}), ...(deleted ? { deleted } : {}) }
  }
  const partOf = (key: ColumnKey, n: number, row: number): EncodedTexts => {
    const part = readTexts(store, { tableSet: setOf(n), key, chunk: n, row })
    const isThere = part !== null && row < part.first + part.rows && areTextsIntact(part)
    if (!isThere) throw damagedRows(sql, tableSet)
    return part
  }
  let made: { id: string; parts: readonly EncodedTexts[] } = { id: '', parts: [] }
  /** Of chunks with a dictionary beside others without, and of such with deleted rows. */
  const makeTexts = (key: ColumnKey, place: number): readonly EncodedTexts[] => {
    const { n, rows } = at(place)
    if (!textsOf(key).has(n)) {
      const codes = new Int32Array(liveRows(at(place)))
      decodeCodes(read(key, place), codes)
      const words = wordsOf(key)
      return encodeTexts(Array.from(codes, (code) => words[code - 1] ?? null))
    }
    function* parts(): Generator<EncodedTexts> {
      for (let row = 0; row < rows;) {
        const part = partOf(key, n, row)
        row += part.rows
        yield part
      }
    }
    return encodeTexts(withoutDeleted(parts(), vectorOf(at(place)) ?? new Uint8Array(0)))
  }
  return {
    chunks: chunks.map(liveRows),
    rows: countLiveRows(manifest),
    holds: (key) => scales.has(key),
    read,
    holdsTexts: (key) => chunks.some(({ n }) => textsOf(key).has(n)),
    readTexts(key, { chunk, row }) {
      const { n, deleted } = at(chunk)
      if (!deleted && textsOf(key).has(n)) return partOf(key, n, row)
      const id = `${chunk} ${key}`
      if (made.id !== id) made = { id, parts: makeTexts(key, chunk) }
      const found = made.parts.find((part) => row >= part.first && row < part.first + part.rows)
      if (!found) throw new Error('A row of a chunk is missing.')
      return found
    },
    ends(key, chunk) {
      const found = endsOf(key).get(at(chunk).n)
      if (!found && hasColumn(at(chunk), key) && !textsOf(key).has(at(chunk).n)) throw damagedRows(sql, tableSet)
      return found ? scaledEnds(found, scales.get(key)) : { least: null, most: null, nulls: liveRows(at(chunk)) }
    },
    words: wordsOf,
  }
}

/** Between which values a column lies, as far as its chunks tell: those of deleted rows count, too. */
export function columnBounds(table: ColumnTable, key: ColumnKey): ColumnBounds {
  let [min, max]: [number | null, number | null] = [null, null]
  for (const chunk of table.chunks.keys()) {
    const { least, most } = table.ends(key, chunk)
    if (least !== null) min = min === null ? least : Math.min(min, least)
    if (most !== null) max = max === null ? most : Math.max(max, most)
  }
  return { min, max }
}

/** Of a column that a chunk does not have. */
const emptyChunk = (rows: number): EncodedChunk => encodeNumbers(new Float64Array(rows).fill(Number.NaN), rows)

/** From the decimals of a chunk's numbers to those of their column; undefined: nothing to do. */
export function scalingOf(from: number | null, to: number | undefined): EncodedChunk['scaling'] {
  if (from === null || from === to) return undefined
  return to === undefined ? { times: 1, by: 10 ** from } : { times: 10 ** (to - from), by: 1 }
}

function scaledEnds({ least, most, nulls, scale }: ChunkEnds, to: number | undefined): ReturnType<ColumnTable['ends']> {
  const { times, by } = scalingOf(scale, to) ?? { times: 1, by: 1 }
  const scaled = (value: number | null): number | null => (value === null ? null : (value * times) / by)
  return { least: scaled(least), most: scaled(most), nulls }
}
