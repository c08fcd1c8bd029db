import type { FormatReader } from '../contract'
import { extractParquetTables } from './open-parquet'

const MAGIC_NUMBERS = ['PAR1', 'PARE']

/** Parquet. A text that begins with the same letters holds no control characters near them. */
export const parquetReader: FormatReader = {
  kind: 'parquet',
  recognises: (head) =>
    MAGIC_NUMBERS.includes(String.fromCharCode(...head.subarray(0, 4))) &&
    head.subarray(4, 512).some((byte) => byte < 9),
  open: extractParquetTables,
}
