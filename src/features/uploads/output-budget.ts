import { unreadableError } from '../../formats/file-errors'
import { ProductError } from '../../shared/errors'
import {
  INFLATED_MAX_BYTES,
  OUTPUT_FREE_BYTES,
  OUTPUT_FREE_COLUMNAR_BYTES,
  OUTPUT_MAX_RATIO,
  OUTPUT_STRETCH_MAX_BYTES,
  SMALL_OPENING_MAX_BYTES,
} from '../../shared/limits'
import type { FileKind } from '../../shared/data-sources/files'

/**
 * How much one opening may still write out. It is bound to the size of the file: a few bytes can name a long text over
 * and over (a shared text of a workbook, a dictionary of Parquet, the key of a parent above many rows).
 */
export class OutputBudget {
  readonly #fileBytes: number
  #free = OUTPUT_FREE_BYTES
  #written = 0
  #unpacked = 0
  #stretch = 0

  constructor(fileBytes: number) {
    this.#fileBytes = fileBytes
  }

  /** The kind of the whole file. Rows that are all alike take next to nothing in a columnar one: more of it is free. */
  readAs(kind: FileKind): void {
    if (kind === 'parquet') this.#free = OUTPUT_FREE_COLUMNAR_BYTES
  }

  get #max(): number {
    return Math.min(INFLATED_MAX_BYTES, Math.max(this.#free, this.#fileBytes * OUTPUT_MAX_RATIO))
  }

  /** Whether it was so much that what is held meanwhile may be, too. */
  get isMuch(): boolean {
    return Math.max(this.#written, this.#unpacked) > SMALL_OPENING_MAX_BYTES
  }

  /** Counts bytes that the file grew by. */
  unpack(bytes: number): void {
    this.#unpacked += bytes
  }

  /** Bytes written since others had their turn. */
  get stretch(): number {
    return this.#stretch
  }

  /** Others had their turn. */
  endStretch(): void {
    this.#stretch = 0
  }

  /**
   * Takes bytes before they are written.
   * @throws ProductError `file_unreadable` (unsafe) for more than the file's size explains, or for too much at once;
   * `too_large` for more than any file may hold.
   */
  take(bytes: number): void {
    this.#written += bytes
    this.#stretch += bytes
    this.assertRoom(0)
    if (this.#stretch > OUTPUT_STRETCH_MAX_BYTES) throw outputUnsafeError()
  }

  /** Whether so much more may be written, asked before it is made. @throws as {@link take} */
  assertRoom(bytes: number): void {
    if (this.#written + bytes > INFLATED_MAX_BYTES) throw outputTooLargeError()
    if (this.#written + bytes > this.#max) throw outputUnsafeError()
  }

  /** Gives back what was written and let go of again. */
  giveBack(bytes: number): void {
    this.#written -= bytes
  }
}

const outputUnsafeError = (): ProductError =>
  unreadableError(
    'unsafe',
    'This file unpacks to far more text than its size explains. Save each table as CSV and upload those.',
  )

const outputTooLargeError = (): ProductError =>
  new ProductError(
    'too_large',
    { what: 'file', max: INFLATED_MAX_BYTES },
    'This file holds more than can be taken out of one file. Split it and upload the parts.',
  )
