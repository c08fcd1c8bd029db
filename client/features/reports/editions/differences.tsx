import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { EditionDifference } from '../../../../src/shared/reports/editions'
import { toNumber } from '../../../../src/shared/figures/cell-formatter'
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
  const isPaged = new Set(items.map(({ page }) => page)).size > 1
  const figure = (label: string, of: (item: EditionDifference) => EditionDifference['before']) => ({
    ...{ label, kind: 'number' as const },
    value: (item: EditionDifference) => toNumber(of(item).value) ?? of(item).value,
    text: (item: EditionDifference) => of(item).text,
  })
  return (
    <ItemTable
      caption="Differences"
      items={items}
      itemKey={({ key }) => key}
      columns={[
        ...(isPaged ? [{ label: 'Page', value: ({ page }: EditionDifference) => page, filter: true }] : []),
        { label: 'Block', value: ({ block }) => block, filter: true },
        { label: 'Item', value: (item) => item.figure },
        figure(`Edition ${other}`, ({ before }) => before),
        figure(`Edition ${n}`, ({ after }) => after),
        figure('Change', ({ change }) => change),
      ]}
    />
  )
}
