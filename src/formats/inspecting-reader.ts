import type { CsvReader } from './contract'

/** The reader with what inspection wants to know beside the records. */
export interface DiagnosticCsvReader extends CsvReader {
  /** Characters found after a closing quote so far: many mean that quote or escape was guessed wrongly. */
  strayCharCount(): number
  /** Lines left out as comments so far. */
  commentCount(): number
  /** Whether the bytes so far end inside quotes. */
  inQuotes(): boolean
}
