import { groupLevels } from '../groupings/store'
import { ratesOfSet } from '../rate-store'
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
} from './segment-store'
import { countLiveRows, hasColumn, liveRows, type Manifest, type ManifestChunk } from './manifest'
import type { ColumnSources, ColumnTable } from '../columns/column-table'
import { decodeCodes, encodeNumbers, isIntact, type EncodedChunk } from '../columns/chunk'
import { encodeTexts, withoutDeleted } from '../columns/texts/chunk-texts'
import { areTextsIntact, type EncodedTexts } from '../columns/texts/text-chunk'
import type { ColumnBounds } from '../contract'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'

/** Texts of dictionaries that are kept between questions, in characters. */
const KEPT_CHARS_MAX = 4_000_000

/** Dictionaries that were read lately: most questions of a dataset split by the same few columns. */
export class KeptWords {
  readonly #kept = new Map<string, { words: readonly string[]; chars: number }>()
  #chars = 0

  read(id: string, make: () => readonly string[]): readonly string[] {
    const known = this.#kept.get(id)
    this.#kept.delete(id)
    const entry = known ?? charsOf(make())
    if (!known) this.#chars += entry.chars
    this.#kept.set(id, entry)
    for (const [oldest, { chars }] of this.#kept) {
      if (this.#chars <= KEPT_CHARS_MAX || oldest === id) break
      this.#kept.delete(oldest)
      this.#chars -= chars
    }
    return entry.words
  }
}
const charsOf = (words: readonly string[]): { words: readonly string[]; chars: number } => ({
  words,
  chars: words.reduce((sum, word) => sum + word.length, 0),
})

/** What questions read of the object's SQLite. */
export const columnSources = (sql: SqlStorage, words = new KeptWords()): ColumnSources => ({
  table({ manifest, ...dataset }) {
    if (!manifest) throw notConverted()
    return storedColumns(sql, { ...dataset, manifest }, words)
  },
  groupLevels: (map, level) => groupLevels({ sql }, map, level),
  rates: (set) => ratesOfSet(sql, set),
})

/** Rows as they lie in the chunks of a set. `columns`: how their values are to be read. */
export interface StoredRows {
  tableSet: number
  /** Where chunks from a number on lie that are about to be added. */
  staged?: { tableSet: number; from: number }
  manifest: Manifest
  columns: readonly Pick<Column, 'key' | 'type' | 'scale'>[]
}

/** A version's columns as they lie in the object. What is read of damaged bytes is refused ({@link damagedRows}). */
export function storedColumns(sql: SqlStorage, of: StoredRows, kept = new KeptWords()): ColumnTable {
  const { tableSet, staged, manifest, columns } = of
  const store = { sql }
  const sets = staged ? [tableSet, staged.tableSet] : [tableSet]
  const setOf = (n: number): number => (staged && n >= staged.from ? staged.tableSet : tableSet)
  const chunks = manifest.filter((chunk) => liveRows(chunk) > 0)
  const scales = new Map(columns.map(({ key, scale }) => [key, scale]))
  const ends = new Map<ColumnKey, Map<number, ChunkEnds>>()
  const endsOf = (key: ColumnKey): Map<number, ChunkEnds> => {
    const known = ends.get(key) ?? new Map(sets.flatMap((each) => [...columnEnds(store, { tableSet: each, key })]))
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
    return kept.read(`${id} ${key}`, () => {
      const words = columnWords(store, sets, key)
      const last = [...endsOf(key).values()].reduce((most, ends) => Math.max(most, ends.most ?? 0), 0)
      if (last > words.length) throw damagedRows(sql, tableSet)
      return words
    })
  }
  const read = (key: ColumnKey, place: number): EncodedChunk => {
    const chunk = at(place)
    const found = readColumnChunk(store, { tableSet: setOf(chunk.n), key, chunk: chunk.n })
    if (!found && !hasColumn(chunk, key)) return emptyChunk(liveRows(chunk))
    if (!found || found.rows !== chunk.rows || !isIntact(found)) throw damagedRows(sql, tableSet)
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
      return found ? scaledEnds(found, scales.get(key)) : { least: null, most: null }
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

function scaledEnds({ least, most, scale }: ChunkEnds, to: number | undefined): Pick<EncodedChunk, 'least' | 'most'> {
  const { times, by } = scalingOf(scale, to) ?? { times: 1, by: 1 }
  const scaled = (value: number | null): number | null => (value === null ? null : (value * times) / by)
  return { least: scaled(least), most: scaled(most) }
}
