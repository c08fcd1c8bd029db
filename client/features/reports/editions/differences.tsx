import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { EditionDifference } from '../../../../src/shared/reports/editions'
import { MISSING_VALUE } from '../../../../src/shared/figures/figures'
import { useFormat } from '../../../lib/format'
import { ItemTable } from '../../../ui/data-table/item-table'
import { MutedText } from '../../../ui/muted-text'
import { QueryView } from '../../../ui/query-view'
import { SectionCard } from '../../../ui/section-card'
import { TableSkeleton } from '../../../ui/skeletons'
import { differencesQuery } from './queries'

interface DifferencesProps {
  reportId: string
  n: number
  other: number
  onClose: () => void
}

/** Figures that are others than in another edition. */
export function Differences({ reportId, n, other, onClose }: DifferencesProps) {
  const differences = useQuery(differencesQuery(reportId, { n, other }))
  return (
    <SectionCard title={`Edition ${n} compared with ${other}`} boxed>
      <QueryView query={differences} skeleton={<TableSkeleton count={3} />}>
        {(items) =>
          items.length === 0 ? <MutedText>No differences</MutedText> : <Table items={items} {...{ n, other }} />
        }
      </QueryView>
      <Group>
        <Button variant="default" size="xs" onClick={onClose}>
          Close comparison
        </Button>
      </Group>
    </SectionCard>
  )
}

function Table({ items, n, other }: { items: readonly EditionDifference[]; n: number; other: number }) {
  const format = useFormat()
  const written = (value: EditionDifference['before']): string => {
    if (value === null) return MISSING_VALUE
    const number = Number(value)
    return Number.isFinite(number) && value !== '' ? format.decimal(number) : String(value)
  }
  return (
    <ItemTable
      caption="Differences"
      items={items}
      itemKey={({ page, block, figure }) => `${page}/${block}/${figure}`}
      columns={[
        { label: 'Block', value: ({ block }) => block },
        { label: 'Item', value: ({ figure }) => figure },
        {
          label: `Edition ${other}`,
          value: ({ before }) => before,
          text: ({ before }) => written(before),
        },
        { label: `Edition ${n}`, value: ({ after }) => after, text: ({ after }) => written(after) },
      ]}
    />
  )
}
