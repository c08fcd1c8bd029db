import { Tooltip } from '@mantine/core'
import { IconPassword } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ColumnMask } from '../../../src/shared/data-access/rules'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'
import type { ResultColumn } from '../../../src/shared/query/result'
import { loadedDatasetsQuery } from '../../lib/queries/data-source-queries'

/** What rules of access leave of the values of a column. */
export const MASK_LABELS: Record<ColumnMask, string> = {
  bucket: 'Range or year',
  lastFour: 'Last four characters',
  hash: 'Pseudonym',
  empty: 'Empty',
}
/** Beside figures that rules of access left rows or values out of. */
export const RESTRICTED_TEXT = 'Based on data you may see'

/** Beside the name of a column of which only a part of each value is shown. */
export function MaskMark({ mask }: { mask: ColumnMask }) {
  const words = `Masked: ${MASK_LABELS[mask].toLowerCase()}`
  return (
    <Tooltip label={words}>
      <IconPassword
        size={14}
        role="img"
        aria-label={words}
        style={{ flex: 'none', color: 'var(--text-muted)', verticalAlign: '-2px' }}
      />
    </Tooltip>
  )
}

/** Which columns of an answer are masked, as far as the datasets are known: asked for by the page's frame already. */
export function useResultMasks(columns: readonly ResultColumn[], plan: QueryPlan | null): (ColumnMask | undefined)[] {
  const { data } = useQuery({ ...loadedDatasetsQuery(), enabled: false })
  const maskOf = ({ dataset, column }: Field): ColumnMask | undefined =>
    data?.find(({ id }) => id === dataset)?.columns.find(({ key }) => key === column)?.mask
  const splits = columns.filter(({ kind }) => kind === 'dimension')
  return columns.map((column) => {
    const split = plan?.dimensions[splits.indexOf(column)]
    const field = column.field ?? (split && 'field' in split && !split.grouping ? split.field : undefined)
    return field && maskOf(field)
  })
}
