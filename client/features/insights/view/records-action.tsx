import { IconListSearch } from '@tabler/icons-react'
import { TERMS } from '../../../../src/shared/terms'
import type { QueryResult } from '../../../../src/shared/query/result'
import type { CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import { IconButton } from '../../../ui/buttons/icon-button'
import { drillTitle } from '../../../lib/marks/drill-title'

/** The last cell of a row of an answer: opens the records behind it. */
export const recordsAction = (result: QueryResult, format: CellFormatter, onPick: (row: number) => void) => ({
  label: TERMS.viewRecords,
  cell: (row: number) => (
    <IconButton
      icon={IconListSearch}
      label={`${TERMS.viewRecords}: ${drillTitle({ result, row }, format)}`}
      onClick={() => onPick(row)}
    />
  ),
})
