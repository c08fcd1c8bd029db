import { ActionIcon, Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { IconFilter, IconTrash } from '@tabler/icons-react'
import type { Aggregate } from '../../../src/shared/query'
import type { MeasureDraft, SimpleMeasure } from './draft'
import { aggregatesOf, AGGREGATE_WORDS, mayBePercent, rowsOf } from './draft-measures'
import { firstMeasure } from './draft-defaults'
import { ExpressionEditor } from './expression-editor'
import { measureWords } from './draft-words'
import classes from './insights.module.css'
import { ColumnSelect } from '../../lib/filters/column-select'
import { choicesFor, columnOf } from '../../lib/filters/fields'
import type { DraftDataset } from '../../lib/filters/fields'
import { emptyFilter, fitFilter } from '../../lib/filters/filter-draft'
import { FilterEditor } from '../../lib/filters/filter-editor'

const KINDS: { value: MeasureDraft['kind']; label: string }[] = [
  { value: 'column', label: 'A column' },
  { value: 'count', label: 'Number of rows' },
  { value: 'expression', label: 'A calculation per row' },
  { value: 'ratio', label: 'A ratio' },
]

/** The starting point of another kind of measure; label and filters stay. */
function changeKind(measure: MeasureDraft, kind: MeasureDraft['kind'], dataset: DraftDataset): MeasureDraft {
  const base = { label: '', filters: measure.filters }
  const first = firstMeasure(dataset)
  const column = first.kind === 'column' ? first.column : null
  switch (kind) {
    case 'count':
      return { ...base, kind, dataset: null }
    case 'column':
      return { ...base, kind, agg: first.kind === 'column' ? first.agg : 'countDistinct', column }
    case 'expression':
      return { ...base, kind, agg: 'sum', first: column, terms: [{ op: 'multiply', operand: null }] }
    case 'ratio': {
      const over: SimpleMeasure = column === null ? { agg: 'count', column: null } : { agg: 'sum', column }
      return { ...base, kind, over, under: { agg: 'count', column: null }, percent: false }
    }
    case 'kept':
      return measure
  }
}

interface MeasureEditorProps {
  measure: MeasureDraft
  dataset: DraftDataset
  onChange: (measure: MeasureDraft) => void
  /** Absent for the only measure. */
  onRemove?: () => void
}

/** One measure: what kind, of which column, of which rows, under which name. */
export function MeasureEditor({ measure, dataset, onChange, onRemove }: MeasureEditorProps) {
  const kinds = measure.kind === 'kept' ? [{ value: 'kept' as const, label: 'As saved' }, ...KINDS] : KINDS
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <Select
          aria-label="Kind of measure"
          data={kinds}
          value={measure.kind}
          allowDeselect={false}
          onChange={(value) => {
            const kind = kinds.find((one) => one.value === value)?.value
            if (kind) onChange(changeKind(measure, kind, dataset))
          }}
          style={{ flex: 1 }}
        />
        {onRemove && (
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={onRemove}
            aria-label={`Remove measure ${measureWords(measure, dataset)}`}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <MeasureBody measure={measure} dataset={dataset} onChange={onChange} />
      <MeasureRows measure={measure} dataset={dataset} onChange={onChange} />
    </Stack>
  )
}

function MeasureBody({ measure, dataset, onChange }: Omit<MeasureEditorProps, 'onRemove'>) {
  if (measure.kind === 'column')
    return (
      <SimpleEditor
        value={measure}
        dataset={dataset}
        name="measure"
        onChange={({ agg, column }) => onChange(ofRows({ ...measure, agg, column }, measure, dataset))}
      />
    )
  if (measure.kind === 'count') return <CountEditor measure={measure} dataset={dataset} onChange={onChange} />
  if (measure.kind === 'expression') return <ExpressionEditor measure={measure} dataset={dataset} onChange={onChange} />
  if (measure.kind === 'ratio') return <RatioEditor measure={measure} dataset={dataset} onChange={onChange} />
  // What cannot be edited here can still be a share: the person knows.
  return measure.measure.kind === 'ratio' ? <PercentSwitch measure={measure} onChange={onChange} /> : null
}

function PercentSwitch(props: {
  measure: MeasureDraft & { kind: 'ratio' | 'kept' }
  onChange: (measure: MeasureDraft) => void
}) {
  const { measure, onChange } = props
  return (
    <Switch
      size="sm"
      label="Show as %"
      checked={measure.percent}
      onChange={(event) => onChange({ ...measure, percent: event.currentTarget.checked })}
    />
  )
}

/** Filters are asked of the rows that are measured: with other rows they begin anew. */
const ofRows = (next: MeasureDraft, old: MeasureDraft, dataset: DraftDataset): MeasureDraft =>
  rowsOf(next, dataset).id === rowsOf(old, dataset).id ? next : { ...next, filters: [] }

/** Whose rows are counted; nothing to choose when relations join no other rows. */
function CountEditor(props: {
  measure: MeasureDraft & { kind: 'count' }
  dataset: DraftDataset
  onChange: (measure: MeasureDraft) => void
}) {
  const { measure, dataset, onChange } = props
  const others = (dataset.linked ?? []).filter((one) => one.use === 'measures')
  if (others.length === 0) return null
  return (
    <Select
      aria-label="Rows to count"
      data={[dataset, ...others].map((one) => ({ value: one.id, label: `of ${one.name}` }))}
      value={measure.dataset ?? dataset.id}
      allowDeselect={false}
      onChange={(id) => {
        const counted = id === null || id === dataset.id ? null : id
        onChange(ofRows({ ...measure, dataset: counted }, measure, dataset))
      }}
    />
  )
}

interface RatioEditorProps {
  measure: MeasureDraft & { kind: 'ratio' }
  dataset: DraftDataset
  onChange: (measure: MeasureDraft) => void
}

function RatioEditor({ measure, dataset, onChange }: RatioEditorProps) {
  const side = (next: Partial<Pick<typeof measure, 'over' | 'under'>>): void => {
    const changed = { ...measure, ...next }
    onChange({ ...changed, percent: changed.percent && mayBePercent(changed, dataset) })
  }
  return (
    <Stack gap="xs" className={classes.nested}>
      <SimpleEditor value={measure.over} dataset={dataset} name="divide" counts onChange={(over) => side({ over })} />
      <span className="label">divided by</span>
      <SimpleEditor value={measure.under} dataset={dataset} name="by" counts onChange={(under) => side({ under })} />
      {mayBePercent(measure, dataset) && <PercentSwitch measure={measure} onChange={onChange} />}
    </Stack>
  )
}

function SimpleEditor(props: {
  value: SimpleMeasure
  dataset: DraftDataset
  name: string
  counts?: boolean
  onChange: (next: SimpleMeasure) => void
}) {
  const { value, dataset, name, counts = false, onChange } = props
  const choices = (column: SimpleMeasure['column']): Aggregate[] =>
    column === null ? ['count'] : aggregatesOf(columnOf(dataset, column))
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      {value.column !== null && (
        <Select
          aria-label={`How to ${name}`}
          data={choices(value.column).map((agg) => ({ value: agg, label: AGGREGATE_WORDS[agg] }))}
          value={value.agg}
          allowDeselect={false}
          onChange={(next) => {
            const agg = choices(value.column).find((one) => one === next)
            if (agg) onChange({ ...value, agg })
          }}
          w={132}
          style={{ flex: 'none' }}
        />
      )}
      <ColumnSelect
        label={`Column to ${name}`}
        hideLabel
        choices={choicesFor(dataset, 'measures')}
        own={dataset.name}
        value={value.column}
        {...(counts ? { none: 'Number of rows' } : {})}
        onChange={(column) => {
          const [first = 'count'] = choices(column)
          onChange({ column, agg: choices(column).includes(value.agg) ? value.agg : first })
        }}
      />
    </Group>
  )
}

/** Which rows count, and the measure's own name. */
function MeasureRows({ measure, dataset, onChange }: Omit<MeasureEditorProps, 'onRemove'>) {
  if (measure.kind === 'kept') return null
  const set = (filters: MeasureDraft['filters']): void => onChange({ ...measure, filters })
  const rows = rowsOf(measure, dataset)
  return (
    <>
      {measure.filters.map((filter, at) => (
        <FilterEditor
          key={at}
          filter={filter}
          dataset={rows}
          onChange={(next) => set(measure.filters.map((old, i) => (i === at ? fitFilter(rows, next) : old)))}
          onRemove={() => set(measure.filters.filter((_, i) => i !== at))}
        />
      ))}
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label="Name of the measure"
          placeholder={`Called “${measureWords({ ...measure, label: '' }, dataset)}”`}
          value={measure.label}
          maxLength={80}
          onChange={(event) => onChange({ ...measure, label: event.currentTarget.value })}
          style={{ flex: 1 }}
        />
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          leftSection={<IconFilter size={14} aria-hidden />}
          onClick={() => set([...measure.filters, emptyFilter()])}
        >
          Only some rows
        </Button>
      </Group>
    </>
  )
}
