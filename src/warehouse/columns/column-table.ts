import type { EncodedChunk } from './chunk'
import type { QuerySteps } from '../scheduling/query-scheduler'
import type { KeptMask, PickedRows } from './kept-mask'
import { ExceedsBounds, type MemoryBounds } from './memory'
import type { EncodedTexts } from './texts/text-chunk'
import type { SpareArrays } from './working-arrays'
import type { LiveDataset } from '../physical-layout'
import type { RatesByDay } from '../rate-store'
import { notFromColumns } from '../query/plan/plan-errors'
import type { CurrencyTotal } from '../../shared/currencies'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { CurrencyConversion } from '../../shared/query/result'

/** One dataset's columns as they are kept: where the chunks come from is not this room's business. */
export interface ColumnTable {
  /** Rows of each chunk, in the order of the rows. */
  chunks: readonly number[]
  rows: number
  /** Whether a column is kept in chunks. */
  holds(key: ColumnKey): boolean
  read(key: ColumnKey, chunk: number): EncodedChunk
  /** Bounds of a chunk's values, and how many are empty at most, without reading them. */
  ends(key: ColumnKey, chunk: number): Pick<EncodedChunk, 'least' | 'most' | 'nulls'>
  /** What the codes of a column of texts stand for, from 1 on. */
  words(key: ColumnKey): readonly string[]
  /** Whether a column's texts are too many for a dictionary: they are kept as such. */
  holdsTexts(key: ColumnKey): boolean
  /** The part of a chunk's texts that a row of it, as it lies, is in. */
  readTexts(key: ColumnKey, at: { chunk: number; row: number }): EncodedTexts
  /** Where the rows of a chunk lie in it, of some that were picked. Absent: each in its own place. */
  picked?(chunk: number): Uint16Array
}
/** Rows of the longest chunk. */
export const longestChunk = ({ chunks }: Pick<ColumnTable, 'chunks'>): number => Math.max(0, ...chunks)

/** What questions found out, by all that decides it. */
export interface KeptAnswers<T> {
  find(id: string): T | undefined
  read(id: string, make: () => T): T
}

/** Where a question finds columns, and what it looks values up in. */
export interface ColumnSources {
  /** @throws ProductError `busy` for rows of an earlier release that are not columns yet */
  table(dataset: LiveDataset): ColumnTable
  /** Of a grouping's map: each value (or where a range begins), and what stands for it at a level. */
  groupLevels(map: number, level: number): [value: string | number, group: string | number | null][]
  /** Of a set of rates. */
  rates(set: number): RatesByDay
  /** The rows that the texts of a key point at, by their codes, kept between questions. Absent: they are not kept. */
  keyRows?: { read(id: string, make: () => Int32Array): Int32Array }
  /** Rows that rules of access or conditions let through, by all that decides it. Absent: they are not kept. */
  rowMasks?: { read(id: string, make: () => KeptMask): KeptMask }
  /** Where rows lie that pass several of these; null where picking them does not pay. Absent: they are not kept. */
  pickedRows?: KeptAnswers<{ rows: PickedRows | null }>
  /** What was told of conversions, and of the currencies of amounts. Absent: they are not kept. */
  conversions?: KeptAnswers<CurrencyConversion>
  currencies?: KeptAnswers<CurrencyTotal[]>
  /** Days that rows lie on, by the question for them. Absent: they are not kept. */
  rowDays?: KeptAnswers<readonly number[]>
  /** What questions work in. Absent: nothing is kept for the next one. */
  arrays?: SpareArrays
  /** Absent: {@link MEMORY}. */
  memory?: MemoryBounds
}

/** @throws ProductError `query_too_complex` for what takes more than a question may hold */
export function* answered<T>(answer: () => QuerySteps<T>): QuerySteps<T> {
  try {
    return yield* answer()
  } catch (error) {
    throw error instanceof ExceedsBounds ? notFromColumns(error.max) : error
  }
}
