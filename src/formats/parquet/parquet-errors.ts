import { unreadableError } from '../file-errors'
import { ProductError } from '../../shared/errors'
import { DATASET_MAX_COLUMNS, DATASET_MAX_ROWS } from '../../shared/limits'

const REWRITE_HINT = 'Export it again, or save it as CSV.'

/** The file contradicts itself or ends early. */
export function parquetDamagedError(what: string, cause?: unknown): ProductError {
  return unreadableError('broken', `The Parquet file is damaged: ${what}. ${REWRITE_HINT}`, { cause })
}

export function parquetEncryptedError(): ProductError {
  return unreadableError('encrypted', 'The Parquet file is encrypted. Export it without encryption.')
}

export function parquetUnsupportedError(what: string): ProductError {
  return unreadableError('unsupported', `The Parquet file uses ${what}, which isn’t supported. ${REWRITE_HINT}`)
}

export function parquetUnsafeError(what: string): ProductError {
  return unreadableError('unsafe', `${what} Export it with smaller row groups and pages, or save it as CSV.`)
}

export function parquetTooManyRowsError(rows: number): ProductError {
  return new ProductError(
    'too_large',
    { what: 'rows', max: DATASET_MAX_ROWS, size: rows },
    `The file has ${rows.toLocaleString('en-US')} rows; ${DATASET_MAX_ROWS.toLocaleString('en-US')} can be imported. Split it.`,
  )
}

export function parquetTooManyColumnsError(columns: number): ProductError {
  return new ProductError(
    'too_large',
    { what: 'columns', max: DATASET_MAX_COLUMNS, size: columns },
    `The file has ${columns} columns; ${DATASET_MAX_COLUMNS} can be imported. Remove columns you don’t need.`,
  )
}
