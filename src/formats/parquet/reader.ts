import type { FileReader } from '../contract'
import { openParquet } from './open-parquet'

const MAGICS = ['PAR1', 'PARE']

/** Parquet. A text that begins with the same letters holds no control characters near them. */
export const parquetReader: FileReader = {
  kind: 'parquet',
  recognises: (head) =>
    MAGICS.includes(String.fromCharCode(...head.subarray(0, 4))) && head.subarray(4, 512).some((byte) => byte < 9),
  open: openParquet,
}
