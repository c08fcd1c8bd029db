import { Stack, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { SubjectRef } from '../../../../src/shared/monitored-metric'
import type { BlockKind } from '../../../../src/shared/reports/blocks'
import { STATEMENT_NAMES, STATEMENTS } from '../../../../src/shared/statements/statements'
import { Dialog } from '../../../ui/dialog'
import { SearchField } from '../../../ui/forms/search-field'
import { MutedText } from '../../../ui/muted-text'
import { TableSkeleton } from '../../../ui/skeletons'
import { BLOCK_ICONS } from './block-icons'
import { BLOCK_NAMES } from '../../../../src/shared/reports/block-names'
import type { NewBlock } from './document'
import classes from './editor.module.css'
import { useLedgers, usePickableForecasts, usePickableInsights, usePickableMetrics } from './pickable'

interface PickableBlock {
  key: string
  kind: BlockKind
  name: string
  block: NewBlock
}

const statementQuery = (statement: (typeof STATEMENTS)[number]) => ({
  statement,
  view: 'ytd' as const,
  lastYear: '1' as const,
  budget: '0' as const,
  variance: '0' as const,
})

/** Everything of the workspace that a block can show, by what is typed. */
function useFound(text: string): { found: PickableBlock[]; isPending: boolean } {
  const [q] = useDebouncedValue(text.trim(), 200)
  const insights = usePickableInsights(q)
  const metrics = usePickableMetrics()
  const forecasts = usePickableForecasts(q)
  const ledgers = useLedgers()
  const holds = (name: string): boolean => name.toLowerCase().includes(text.trim().toLowerCase())
  const found: PickableBlock[] = [
    ...insights.items.map(({ id, name }): PickableBlock => ({
      ...{ key: id, kind: 'insight', name },
      block: { kind: 'insight', insight: id, chart: null, title: '' },
    })),
    ...metrics.items
      .filter(({ name, synonyms }) => [name, ...synonyms].some(holds))
      .map(({ id, name }): PickableBlock => ({
        ...{ key: id, kind: 'metric', name },
        block: { kind: 'metric', metric: id, grain: 'month', by: null, chart: 'line', title: '' },
      })),
    ...forecasts.items.map(({ id, name }): PickableBlock => ({
      ...{ key: id, kind: 'forecast', name },
      block: { kind: 'forecast', forecast: id, title: '' },
    })),
    ...ledgers.items.flatMap(({ id, name }) =>
      STATEMENTS.map((statement): PickableBlock => ({
        ...{ key: `${id}/${statement}`, kind: 'statement', name: `${STATEMENT_NAMES[statement].en}, ${name}` },
        block: {
          ...{ kind: 'statement', source: id, query: statementQuery(statement) },
          ...{ language: 'en', accounts: false, title: '' },
        },
      })).filter((one) => holds(one.name)),
    ),
  ]
  return { found, isPending: insights.isPending || metrics.isPending || forecasts.isPending }
}

/** Blocks that need nothing to be chosen first. */
const PLAIN = ['kpis', 'text', 'observation', 'image', 'divider', 'pageBreak'] as const

const FIRST_FIGURES = 4
/** Figures to begin with: metrics, and where there are none those of insights. */
function useSubjects(): SubjectRef[] {
  const metrics = usePickableMetrics()
  const insights = usePickableInsights()
  const named = metrics.items.map(({ id }): SubjectRef => ({ kind: 'metric', id }))
  const shown = insights.items
    .filter(({ plan }) => plan.measures.length > 0)
    .map(({ id }): SubjectRef => ({ kind: 'insight', id, measure: 0 }))
  return [...named, ...shown].slice(0, FIRST_FIGURES)
}

function plainBlock(kind: (typeof PLAIN)[number], subjects: readonly SubjectRef[]): NewBlock | null {
  const [subject] = subjects
  switch (kind) {
    case 'kpis':
      return subject ? { kind, figures: subjects.map((one) => ({ subject: one, label: '' })) } : null
    case 'text':
      return { kind, text: '' }
    case 'observation':
      return subject
        ? { kind, subject, of: 'changePercent', against: 'previous', op: 'lt', value: 0, then: '', otherwise: '' }
        : null
    case 'image':
      return { kind, picture: null, alt: '' }
    case 'divider':
    case 'pageBreak':
      return { kind }
  }
}

interface AddBlockProps {
  onAdd: (block: NewBlock) => void
  onClose: () => void
}

/** What can be put on a page: anything of the workspace with figures, or words. */
export function AddBlock({ onAdd, onClose }: AddBlockProps) {
  const [text, setText] = useState('')
  const { found, isPending } = useFound(text)
  const subjects = useSubjects()
  const kinds: BlockKind[] = ['insight', 'metric', 'forecast', 'statement']
  return (
    <Dialog opened onClose={onClose} title="Add block" size="lg">
      <Stack gap="md">
        <div className={classes.kinds} role="group" aria-label="Blocks">
          {PLAIN.map((kind) => {
            const block = plainBlock(kind, subjects)
            const KindIcon = BLOCK_ICONS[kind]
            return (
              block && (
                <UnstyledButton key={kind} className={classes.kind} onClick={() => onAdd(block)}>
                  <KindIcon size={18} aria-hidden />
                  {BLOCK_NAMES[kind]}
                </UnstyledButton>
              )
            )
          })}
        </div>
        <SearchField label="Search insights, metrics, forecasts and statements" value={text} onChange={setText} />
        {isPending && found.length === 0 ? (
          <TableSkeleton count={4} />
        ) : found.length === 0 ? (
          <MutedText>{text === '' ? 'No insights or metrics yet' : `Nothing matches “${text}”`}</MutedText>
        ) : (
          <ul className={classes.found} aria-label="Results">
            {kinds.map((kind) => (
              <FoundGroup key={kind} kind={kind} items={found.filter((one) => one.kind === kind)} onAdd={onAdd} />
            ))}
          </ul>
        )}
      </Stack>
    </Dialog>
  )
}

const GROUP_NAMES: Partial<Record<BlockKind, string>> = {
  insight: 'Insights',
  metric: 'Metrics',
  forecast: 'Forecasts',
  statement: 'Statements',
}

function FoundGroup({
  kind,
  items,
  onAdd,
}: { kind: BlockKind; items: PickableBlock[] } & Pick<AddBlockProps, 'onAdd'>) {
  const KindIcon = BLOCK_ICONS[kind]
  if (items.length === 0) return null
  return (
    <li>
      <div className={classes.foundGroup}>{GROUP_NAMES[kind]}</div>
      {items.map(({ key, name, block }) => (
        <UnstyledButton key={key} className={classes.foundItem} onClick={() => onAdd(block)}>
          <KindIcon size={16} aria-hidden />
          {name}
        </UnstyledButton>
      ))}
    </li>
  )
}
