import { QueryStatus } from '../../ui/query-view'
import { Skeleton, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { GroupingDraft } from './grouping-draft'
import { previewQuery } from './queries'
import { useCellFormatter } from '../../lib/cell-formatter'
import { amountColumn } from '../../../src/shared/figures/cell-formatter'
import type { ItemColumn } from '../../ui/data-table/item-column'
import { ItemTable } from '../../ui/data-table/item-table'
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
  const cells = useCellFormatter()
  const figures = [answer.total, ...answer.lines].flatMap(({ before, after }) => [before, after])
  const column = amountColumn(answer.format, figures)
  const show = (value: GroupingPreview['total']['before']): string => cells.full(value, column)
  if (answer.lines.length === 0) return <Text c="dimmed">No figures yet</Text>
  type Line = GroupingPreview['lines'][number]
  const figureColumn = (label: string, valueOf: (line: Line) => Line['before']): ItemColumn<Line> => ({
    ...{ label, kind: 'number', value: valueOf, text: (line) => show(valueOf(line)) },
    draw: (line) => <Changed line={line}>{show(valueOf(line))}</Changed>,
  })
  const { before, after } = answer.total
  return (
    <ItemTable
      caption="Preview"
      items={answer.lines}
      itemKey={({ groupId }) => groupId ?? 'none'}
      columns={[
        { label: 'Group', value: ({ name }) => name, draw: (line) => <Changed line={line}>{line.name}</Changed> },
        figureColumn(`${answer.label}, now`, (line) => line.before),
        figureColumn('After saving', (line) => line.after),
      ]}
      totals={[
        { value: null, text: TERMS.total },
        { value: before, text: show(before) },
        { value: after, text: show(after) },
      ]}
    />
  )
}

/** Stands out where saving changes the figure. */
const Changed = ({ line: { before, after }, children }: { line: GroupingPreview['lines'][number]; children: string }) =>
  before === after ? children : <strong>{children}</strong>
