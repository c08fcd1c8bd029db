import { groupLevels } from '../groupings/store'
import { ratesOfSet } from '../rate-store'
import { log } from '../../lib/log'
import {
  columnEnds,
  columnWords,
  deleteChunks,
  findColumnChunk,
  findTexts,
  lastWordsOf,
  rowChunks,
  textRows,
} from './segment-store'
import { NeedsRows, type ColumnSources, type ColumnTable } from '../columns/column-table'
import type { EncodedChunk } from '../columns/chunk'
import type { LiveDataset } from '../physical-layout'
import type { ColumnKey } from '../../shared/data-sources/files'

/** Texts of dictionaries that are kept between questions, in characters. */
const KEPT_CHARS_MAX = 4_000_000

/** Dictionaries that were read lately: most questions of a dataset split by the same few columns. */
export class KeptWords {
  readonly #kept = new Map<string, { words: readonly string[]; chars: number }>()
  #chars = 0
  #forgotten = 0

  /** How often all of them were forgotten: what was read before does not fit what is read now. */
  get forgotten(): number {
    return this.#forgotten
  }

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

  /** Every dictionary is read again. */
  forget(): void {
    this.#kept.clear()
    this.#chars = 0
    this.#forgotten += 1
  }
}
const charsOf = (words: readonly string[]): { words: readonly string[]; chars: number } => ({
  words,
  chars: words.reduce((sum, word) => sum + word.length, 0),
})

/** What questions read of the object's SQLite beside the rows. */
export const columnSources = (
  sql: SqlStorage,
  { words, missing }: { words: KeptWords; missing: (dataset: LiveDataset) => void },
): ColumnSources => ({
  table(dataset) {
    const found = storedColumns(sql, dataset, words)
    if (!found && dataset.rowCount > 0) missing(dataset)
    return found
  },
  damaged({ id, tableSet }) {
    log('error', 'columns', { dataset: id, error: 'A chunk is damaged.' })
    deleteChunks({ sql }, tableSet)
    words.forget()
  },
  groupLevels: (map, level) => groupLevels({ sql }, map, level),
  rates: (set) => ratesOfSet(sql, set),
})

/** Whether every row of a dataset stands in its columns. */
export const holdsAllRows = (store: { sql: SqlStorage }, { tableSet, rowCount }: LiveDataset): boolean =>
  rowCount > 0 && rowChunks(store, tableSet).reduce((sum, chunk) => sum + chunk.rows, 0) === rowCount

/**
 * A dataset's columns as they lie in the object; null while not every row stands in them. While a question waits between
 * its steps, another may throw chunks away as damaged: reading on throws {@link NeedsRows}.
 */
export function storedColumns(sql: SqlStorage, dataset: LiveDataset, kept: KeptWords): ColumnTable | null {
  const { tableSet, rowCount, dataVersion } = dataset
  const store = { sql }
  const chunks = rowChunks(store, tableSet)
  // Without rows there is nothing to be read, and nothing missing.
  if (rowCount > 0 && !holdsAllRows(store, dataset)) return null
  const ends = new Map<ColumnKey, Map<number, Pick<EncodedChunk, 'least' | 'most'>>>()
  const endsOf = (key: ColumnKey): Map<number, Pick<EncodedChunk, 'least' | 'most'>> => {
    const known = ends.get(key) ?? columnEnds(store, { tableSet, key })
    ends.set(key, known)
    return known
  }
  const texts = new Map<ColumnKey, Map<number, number>>()
  const textsOf = (key: ColumnKey): Map<number, number> => {
    const known = texts.get(key) ?? textRows(store, { tableSet, key })
    texts.set(key, known)
    return known
  }
  const holdsTexts = (key: ColumnKey): boolean =>
    chunks.length > 0 && chunks.every(({ chunk, rows }) => textsOf(key).get(chunk) === rows)
  const numberOf = (chunk: number): number => chunks[chunk]?.chunk ?? -1
  const begun = kept.forgotten
  const still = <T>(read: () => T | null | undefined): T => {
    const found = kept.forgotten === begun ? read() : null
    if (found === null || found === undefined) throw new NeedsRows()
    return found
  }
  return {
    chunks: chunks.map((chunk) => chunk.rows),
    rows: rowCount,
    holds: (key) => holdsTexts(key) || chunks.every(({ chunk }) => endsOf(key).has(chunk)),
    holdsTexts,
    readTexts: (key, { chunk, row }) => still(() => findTexts(store, { tableSet, key, chunk: numberOf(chunk), row })),
    read: (key, chunk) => still(() => findColumnChunk(store, { tableSet, key, chunk: numberOf(chunk) })),
    ends: (key, chunk) => still(() => endsOf(key).get(numberOf(chunk))),
    words(key) {
      const at = { tableSet, key }
      // A load or a rollback may have the dictionary made again, with other codes; what is added to it makes it longer.
      const id = `${tableSet} ${dataVersion} ${key} ${lastWordsOf(store, at)}`
      return still(() => kept.read(id, () => columnWords(store, at)))
    },
  }
}
