import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ObservationPreview } from '../../../../src/shared/reports/observation-preview'
import { COMPARISON_OPERATORS } from '../../../../src/shared/query/functions'
import { COMPARISON_LABELS } from '../../../../src/shared/query/plan-labels'
import { OBSERVED_FIGURES, type BlockOf } from '../../../../src/shared/reports/blocks'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { NumberField } from '../../../ui/forms/number-field'
import { MutedText } from '../../../ui/muted-text'
import { QueryView } from '../../../ui/query-view'
import { TableSkeleton } from '../../../ui/skeletons'
import { observationPreviewQuery } from '../queries'
import { Pieces } from '../blocks/text-tile'
import { piecesOf } from '../../../../src/shared/reports/rich-text'
import { useTileContent } from '../tiles/use-tiles'
import type { KindProps } from './kind-fields'
import { SubjectSelect } from './subject-select'
import { TokenText } from './text-settings'
import classes from '../blocks/blocks.module.css'

const OF_LABELS = { value: 'Value', change: 'Change', changePercent: 'Change in %' } as const
const SENTENCE_CHARS = 500

/** If a figure meets a condition then one sentence, otherwise another; with what it says now. */
export function ObservationSettings({
  reportId,
  block,
  onChange,
}: KindProps<BlockOf<'observation'>> & { reportId: string }) {
  const isShare = block.of === 'changePercent'
  const { value } = block
  return (
    <Stack gap="sm">
      <SubjectSelect label="If" value={block.subject} onChange={(subject) => onChange({ ...block, subject })} />
      <Group gap="xs" grow align="flex-end">
        <Select
          label="Of it"
          data={OBSERVED_FIGURES.map((of) => ({ value: of, label: OF_LABELS[of] }))}
          value={block.of}
          onChange={(of) => of !== null && onChange({ ...block, of })}
        />
        {block.of !== 'value' && (
          <Select
            label="Compared with"
            data={[
              { value: 'previous', label: 'Previous period' },
              { value: 'year', label: 'Previous year' },
            ]}
            value={block.against}
            onChange={(against) => against !== null && onChange({ ...block, against })}
          />
        )}
      </Group>
      <Group gap="xs" grow align="flex-end">
        <Select
          aria-label="Condition"
          data={COMPARISON_OPERATORS.map((op) => ({ value: op, label: COMPARISON_LABELS[op] }))}
          value={block.op}
          onChange={(op) => op !== null && onChange({ ...block, op })}
        />
        <NumberField
          aria-label="Threshold"
          {...(isShare ? { suffix: ' %' } : {})}
          value={isShare ? Number((value * 100).toPrecision(12)) : value}
          onChange={(next) => typeof next === 'number' && onChange({ ...block, value: isShare ? next / 100 : next })}
        />
      </Group>
      <TokenText
        label="Then"
        minRows={2}
        maxLength={SENTENCE_CHARS}
        value={block.then}
        onChange={(then) => onChange({ ...block, then })}
      />
      <TokenText
        label="Otherwise"
        minRows={2}
        maxLength={SENTENCE_CHARS}
        value={block.otherwise}
        onChange={(otherwise) => onChange({ ...block, otherwise })}
      />
      <Preview block={block} />
      <PastPeriods reportId={reportId} block={block} />
    </Stack>
  )
}

/** What readers see of it now. */
function Preview({ block }: { block: BlockOf<'observation'> }) {
  const content = useTileContent(block.id)
  const format = useCellFormatter()
  if (content?.kind !== 'observation') return null
  const { meets, tokens } = content
  const sentence = meets === null ? '' : meets ? block.then : block.otherwise
  const threshold = block.of === 'changePercent' ? format.percent(block.value) : format.count(block.value)
  return (
    <div>
      <div className="label">
        Now ({`${COMPARISON_LABELS[block.op]} ${threshold}: ${meets === null ? 'no figure' : meets ? 'yes' : 'no'}`})
      </div>
      {sentence === '' ? (
        <span className={classes.neutral}>Nothing is shown</span>
      ) : (
        <Pieces pieces={piecesOf(sentence)} tokens={tokens} />
      )}
    </div>
  )
}

const PREVIEW_PAUSE_MS = 600

/** What readers would have seen in each of the last six periods. */
function PastPeriods({ reportId, block }: { reportId: string; block: BlockOf<'observation'> }) {
  const [shown, setShown] = useState(false)
  const [asked] = useDebouncedValue(block, PREVIEW_PAUSE_MS)
  const past = useQuery({ ...observationPreviewQuery(reportId, asked), enabled: shown })
  if (!shown)
    return (
      <Button variant="default" size="xs" style={{ alignSelf: 'start' }} onClick={() => setShown(true)}>
        Preview last six periods
      </Button>
    )
  return (
    <div>
      <div className="label">Last six periods</div>
      <QueryView query={past} skeleton={<TableSkeleton count={6} />}>
        {(items) => (
          <Stack component="dl" gap={8} m={0} mt={4}>
            {items.map((one) => (
              <PastPeriod key={one.label} block={asked} preview={one} />
            ))}
          </Stack>
        )}
      </QueryView>
    </div>
  )
}

function PastPeriod({ block, preview }: { block: BlockOf<'observation'>; preview: ObservationPreview }) {
  const { label, meets, tokens, problem } = preview
  const sentence = meets === null ? '' : meets ? block.then : block.otherwise
  return (
    <div>
      <dt>
        <MutedText size="xs">{label}</MutedText>
      </dt>
      <Text component="dd" size="sm" m={0}>
        {sentence === '' ? (
          <span className={classes.neutral}>{problem ?? (meets === null ? 'No figure' : 'Nothing is shown')}</span>
        ) : (
          <Pieces pieces={piecesOf(sentence)} tokens={tokens} />
        )}
      </Text>
    </div>
  )
}
