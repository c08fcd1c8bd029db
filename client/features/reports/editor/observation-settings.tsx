import { Group, Select, Stack } from '@mantine/core'
import { COMPARISON_OPERATORS } from '../../../../src/shared/query/functions'
import { COMPARISON_LABELS } from '../../../../src/shared/query/plan-labels'
import { OBSERVED_FIGURES, type BlockOf } from '../../../../src/shared/reports/blocks'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { NumberField } from '../../../ui/forms/number-field'
import { Pieces } from '../blocks/text-tile'
import { piecesOf } from '../../../../src/shared/reports/rich-text'
import { useTile } from '../tiles/use-tiles'
import type { KindProps } from './kind-fields'
import { SubjectSelect } from './subject-select'
import { TokenText } from './text-settings'
import classes from '../blocks/blocks.module.css'

const OF_LABELS = { value: 'Value', change: 'Change', changePercent: 'Change in %' } as const
const SENTENCE_CHARS = 500

/** If a figure meets a condition then one sentence, otherwise another; with what it says now. */
export function ObservationSettings({ block, onChange }: KindProps<BlockOf<'observation'>>) {
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
    </Stack>
  )
}

/** What readers see of it now. */
function Preview({ block }: { block: BlockOf<'observation'> }) {
  const { content } = useTile(block.id)
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
