import { HEADER_MAX_CHARS } from '../../shared/limits'
import type { CsvReaderOptions } from '../contract'
import { looksLikeLabels } from '../inference/header'

/** Whether two records hold the same cells. */
export const isSameRecord = (cells: readonly string[], others: readonly string[]): boolean =>
  cells.length === others.length && cells.every((cell, at) => cell === others[at])

/** Whether a record can be told from a row when it comes again: several names, none of them endless. */
export const isTellingHeader = (cells: string[]): boolean =>
  cells.filter((cell) => cell !== '').length >= 2 &&
  cells.every(({ length }) => length <= HEADER_MAX_CHARS) &&
  looksLikeLabels(cells)

/** Hands on every record that is not the header once more. */
export const dropRepeatedHeaders =
  (onRecord: CsvReaderOptions['onRecord'], header: readonly string[]): CsvReaderOptions['onRecord'] =>
  (cells, line) => {
    if (!isSameRecord(cells, header)) onRecord(cells, line)
  }
