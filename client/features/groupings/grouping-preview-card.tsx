import { QueryStatus } from '../../ui/query-view'
import { Skeleton, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { GroupingDraft } from './grouping-draft'
import { previewQuery } from './queries'
import { useCellFormatter } from '../../lib/cell-formatter'
import { SectionCard } from '../../ui/section-card'
import { TERMS } from '../../../src/shared/terms'
import type { Grouping, GroupingPreview } from '../../../src/shared/groupings/groupings'

const PREVIEW_DEBOUNCE_MS = 500

export function GroupingPreviewCard({ grouping, draft }: { grouping: Grouping; draft: GroupingDraft }) {
  const [settled] = useDebouncedValue({ fallback: draft.fallback, eras: draft.eras }, PREVIEW_DEBOUNCE_MS)
  const preview = useQuery({
    ...previewQuery(grouping.id, settled, grouping.version),
    placeholderData: keepPreviousData,
  })
  return (
    <SectionCard title="Preview">
      <QueryStatus query={preview} skeleton={<Skeleton h={120} aria-hidden />} />
      {preview.data && (
        <div aria-busy={preview.isPlaceholderData} style={{ opacity: preview.isPlaceholderData ? 0.5 : 1 }}>
          <PreviewTable answer={preview.data} />
        </div>
      )}
    </SectionCard>
  )
}

function PreviewTable({ answer }: { answer: GroupingPreview }) {
  const figures = useCellFormatter()
  const column = { type: 'number', kind: 'measure', format: answer.format } as const
  const show = (value: GroupingPreview['total']['before']): string => figures.round(value, column)
  if (answer.lines.length === 0) return <Text c="dimmed">No figures yet</Text>
  return (
    <Table.ScrollContainer minWidth={240}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Group</Table.Th>
            <Table.Th ta="right">{answer.label}, now</Table.Th>
            <Table.Th ta="right">After saving</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {answer.lines.map(({ groupId, name, before, after }) => (
            <Table.Tr key={groupId ?? 'none'} fw={before === after ? undefined : 600}>
              <Table.Th scope="row" fw="inherit">
                {name}
              </Table.Th>
              <Table.Td ta="right">{show(before)}</Table.Td>
              <Table.Td ta="right">{show(after)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row">{TERMS.total}</Table.Th>
            <Table.Th ta="right">{show(answer.total.before)}</Table.Th>
            <Table.Th ta="right">{show(answer.total.after)}</Table.Th>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  )
}
