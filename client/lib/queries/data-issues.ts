import { formatRowCount, type Formatter } from '../../../src/shared/figures/formatter'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'

/** What of the files is not in the rows shown now, or is in them twice: "4 rows rejected, 1 row duplicated". */
export const describeDataIssues = (
  { rowsRejected, rowsDuplicate }: Pick<Dataset, 'rowsRejected' | 'rowsDuplicate'>,
  format: Formatter,
): string =>
  [
    ...(rowsRejected > 0 ? [`${formatRowCount(format, rowsRejected)} rejected`] : []),
    ...(rowsDuplicate > 0 ? [`${formatRowCount(format, rowsDuplicate)} duplicated`] : []),
  ].join(', ')
