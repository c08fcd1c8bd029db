import { IconButton } from '../../../ui/buttons/icon-button'
import { Anchor, Code, Group, Stack, Button, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { IconFilter, IconTrash, IconUsersGroup } from '@tabler/icons-react'
import type { ColumnFormat } from '../../../../src/shared/data-sources/files'
import type { Metric } from '../../../../src/shared/metrics'
import { describeFilter, newFilterDraft } from '../../../lib/query-builder/filter-draft'
import { findMetric, fieldOptions, findColumn, type BuilderDataset } from '../../../lib/query-builder/catalogue'
import { LinkAnchor } from '../../../ui/buttons/links'
import { NeutralBadge } from '../../../ui/neutral-badge'
import classes from '../insights.module.css'
import { useFormat } from '../../../lib/format'
import { formulaNaming } from '../view/describe-calculation'
import { VerifiedBadge } from '../curation/insight-badges'
import type { Aggregate } from '../../../../src/shared/query/functions'
import type { Grain } from '../../../../src/shared/query/date-range'
import { GroupCalculationEditor } from './group-calculation-editor'
import { TimeCalculationEditor } from './time-calculation-editor'
import { withFiltersForDataset, MeasurePicker } from './measure-picker'
import { NEW_GROUPS, type MeasureDraft, type ColumnAggregate } from './draft'
import { AGGREGATE_LABELS } from '../../../lib/query-builder/aggregate-labels'
import { aggregatesFor, canShowAsPercent, datasetOfMeasure } from './measure-draft'
import { ExpressionEditor } from './expression-editor'
import { capitalize } from '../../../../src/shared/text'
import { describeMeasureDraft } from './describe-draft'
import { ColumnSelect } from '../../../lib/query-builder/column-select'
import { FilterList } from '../../../lib/query-builder/filter-editor'
import { MutedText } from '../../../ui/muted-text'

const DIRECTION_PHRASES: Record<Metric['direction'], string> = {
  up: 'higher is better',
  down: 'lower is better',
  none: 'neither is better',
}
function describeFormat(format: ColumnFormat | null): string {
  if (format === null) return 'same format as source'
  if (format.style === 'currency') return `currency ${format.currency}`
  return format.style === 'percent' ? '%' : 'number'
}

/** What a metric of the catalogue means, where it is used: it is changed on its own page. */
function MetricSummary({ metric, dataset }: { metric: Metric; dataset: BuilderDataset }) {
  const { catalogue, linked = [] } = dataset
  const naming = formulaNaming([dataset, ...linked], metric.dataset, { format: useFormat(), catalogue })
  const where = metric.filters.map((filter) => describeFilter(filter, naming))
  const rows = where.length > 0 ? [`where ${where.join(' and ')}`] : []
  return (
    <Stack gap={4} className={classes.nested}>
      <Group gap={6}>
        <NeutralBadge>Metric</NeutralBadge>
        {metric.verified && <VerifiedBadge verified={metric.verified} short />}
        <Anchor component="span" size="xs">
          <LinkAnchor to="/metrics/$id" params={{ id: metric.id }}>
            Open {metric.name}
          </LinkAnchor>
        </Anchor>
      </Group>
      <Code style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowWrap: 'anywhere' }}>{metric.formula}</Code>
      <MutedText size="xs">
        {`${capitalize([DIRECTION_PHRASES[metric.direction], describeFormat(metric.format), ...rows].join(', '))}.`}
      </MutedText>
    </Stack>
  )
}

interface MeasureEditorProps {
  measure: MeasureDraft
  dataset: BuilderDataset
  /** Of the split by time; null without one. */
  grain: Grain | null
  onChange: (measure: MeasureDraft) => void
  /** Absent for the only measure. */
  onRemove: (() => void) | undefined
  /** Looks at the data of a metric that does not join to this. */
  onSwitchDataset?: ((metric: Metric) => void) | undefined
}

export function MeasureEditor({ measure, dataset, grain, onChange, onRemove, onSwitchDataset }: MeasureEditorProps) {
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <MeasurePicker measure={measure} dataset={dataset} onChange={onChange} onSwitchDataset={onSwitchDataset} />
        {onRemove && (
          <IconButton
            icon={IconTrash}
            label={`Remove measure ${describeMeasureDraft(measure, dataset)}`}
            onClick={onRemove}
          />
        )}
      </Group>
      <MeasureBody measure={measure} dataset={dataset} onChange={onChange} />
      <GroupCalculationEditor measure={measure} dataset={dataset} onChange={onChange} />
      <TimeCalculationEditor measure={measure} grain={grain} onChange={onChange} />
      <MeasureFilters measure={measure} dataset={dataset} grain={grain} onChange={onChange} />
    </Stack>
  )
}

type MeasurePartProps = Pick<MeasureEditorProps, 'measure' | 'dataset' | 'onChange'>
interface MeasureKindProps<Kind extends MeasureDraft['kind']> extends Omit<MeasurePartProps, 'measure'> {
  measure: MeasureDraft & { kind: Kind }
}

function MeasureBody({ measure, dataset, onChange }: MeasurePartProps) {
  if (measure.kind === 'metric') {
    const metric = findMetric(dataset.catalogue, measure.id)
    return metric && <MetricSummary metric={metric} dataset={dataset} />
  }
  if (measure.kind === 'column') return <AggregateEditor measure={measure} dataset={dataset} onChange={onChange} />
  if (measure.kind === 'count') return <CountEditor measure={measure} dataset={dataset} onChange={onChange} />
  if (measure.kind === 'expression') return <ExpressionEditor measure={measure} dataset={dataset} onChange={onChange} />
  if (measure.kind === 'ratio') return <RatioEditor measure={measure} dataset={dataset} onChange={onChange} />
  // What cannot be edited here can still be a share: the person knows.
  return measure.measure.kind === 'ratio' ? <PercentSwitch measure={measure} onChange={onChange} /> : null
}

function PercentSwitch({ measure, onChange }: Omit<MeasureKindProps<'ratio' | 'kept'>, 'dataset'>) {
  return (
    <Switch
      size="sm"
      label="Show as %"
      checked={measure.percent}
      onChange={(event) => onChange({ ...measure, percent: event.currentTarget.checked })}
    />
  )
}

function AggregateEditor({ measure, dataset, onChange }: MeasureKindProps<'column'>) {
  if (measure.column === null) return null
  const known = aggregatesFor(findColumn(dataset, measure.column))
  const { percentile: _percentile, shown, ...plain } = measure
  return (
    <Group gap="xs" wrap={shown === undefined ? 'nowrap' : 'wrap'}>
      <Select
        aria-label="Aggregation"
        data={[
          ...known.map((agg) => ({ value: agg, label: AGGREGATE_LABELS[agg] })),
          ...(known.includes('median') ? [{ value: PERCENTILE, label: 'Percentile' }] : []),
          ...EXTREMES.map(({ value, label }) => ({ value, label })),
        ]}
        value={measure.percentile === undefined ? (extremeOf(measure) ?? measure.agg) : PERCENTILE}
        style={{ flex: '1 1 100%', minWidth: 0 }}
        onChange={(value) => {
          const agg = known.find((one) => one === value)
          const extreme = EXTREMES.find((one) => one.value === value)
          if (value === PERCENTILE) onChange({ ...plain, agg: 'median', percentile: 90 })
          else if (extreme) onChange({ ...plain, agg: extreme.agg, shown: shown ?? null })
          else if (agg) onChange({ ...plain, agg })
        }}
      />
      {measure.percentile !== undefined && <PercentileInput measure={measure} onChange={onChange} />}
      {shown !== undefined && <ShownSelect measure={measure} dataset={dataset} onChange={onChange} />}
    </Group>
  )
}
const PERCENTILE = 'percentile'

/** Another column at the row with the least or largest value. */
const EXTREMES = [
  { value: 'atMinimum', agg: 'first', label: 'At minimum, show' },
  { value: 'atMaximum', agg: 'last', label: 'At maximum, show' },
] as const
const extremeOf = ({ agg, shown }: MeasureDraft & { kind: 'column' }): string | undefined =>
  shown === undefined ? undefined : EXTREMES.find((one) => one.agg === agg)?.value

function ShownSelect({ measure, dataset, onChange }: MeasureKindProps<'column'>) {
  const rows = datasetOfMeasure(measure, dataset)
  return (
    <ColumnSelect
      label="Column to show"
      hideLabel
      placeholder="Choose column"
      choices={fieldOptions(rows, 'splits')}
      ownLabel={rows.name}
      value={measure.shown ?? null}
      onChange={(shown) => onChange({ ...measure, shown })}
    />
  )
}

/** Which share of the values lies below. */
function PercentileInput({ measure, onChange }: Omit<MeasureKindProps<'column'>, 'dataset'>) {
  return (
    <NumberInput
      aria-label="Percentile"
      suffix=" %"
      value={measure.percentile ?? 50}
      min={0.01}
      max={99.99}
      decimalScale={2}
      allowNegative={false}
      w={108}
      style={{ flex: 'none' }}
      onChange={(percentile) => {
        if (typeof percentile === 'number' && percentile > 0 && percentile < 100) onChange({ ...measure, percentile })
      }}
    />
  )
}

/** Whose rows are counted; nothing to choose when relations join no other rows. */
function CountEditor({ measure, dataset, onChange }: MeasureKindProps<'count'>) {
  const others = (dataset.linked ?? []).filter((one) => one.use === 'measures')
  if (others.length === 0) return null
  return (
    <Select
      aria-label="Rows to count"
      data={[dataset, ...others].map((one) => ({ value: one.id, label: `of ${one.name}` }))}
      value={measure.dataset ?? dataset.id}
      onChange={(id) => {
        const counted = id === null || id === dataset.id ? null : id
        onChange(withFiltersForDataset({ ...measure, dataset: counted }, measure, dataset))
      }}
    />
  )
}

function RatioEditor({ measure, dataset, onChange }: MeasureKindProps<'ratio'>) {
  const updateOperand = (next: Partial<Pick<typeof measure, 'over' | 'under'>>): void => {
    const changed = { ...measure, ...next }
    onChange({ ...changed, percent: changed.percent && canShowAsPercent(changed, dataset) })
  }
  return (
    <Stack gap="xs" className={classes.nested}>
      <ColumnAggregateEditor
        value={measure.over}
        dataset={dataset}
        name="divide"
        onChange={(over) => updateOperand({ over })}
      />
      <span className="label">divided by</span>
      <ColumnAggregateEditor
        value={measure.under}
        dataset={dataset}
        name="by"
        onChange={(under) => updateOperand({ under })}
      />
      {canShowAsPercent(measure, dataset) && <PercentSwitch measure={measure} onChange={onChange} />}
    </Stack>
  )
}

function ColumnAggregateEditor(props: {
  value: ColumnAggregate
  dataset: BuilderDataset
  name: string
  onChange: (next: ColumnAggregate) => void
}) {
  const { value, dataset, name, onChange } = props
  const choices = (column: ColumnAggregate['column']): Aggregate[] =>
    column === null ? ['count'] : aggregatesFor(findColumn(dataset, column))
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      {value.column !== null && (
        <Select
          aria-label={`How to ${name}`}
          data={choices(value.column).map((agg) => ({ value: agg, label: AGGREGATE_LABELS[agg] }))}
          value={value.agg}
          onChange={(agg) => agg && onChange({ ...value, agg })}
          w={132}
          style={{ flex: 'none' }}
        />
      )}
      <ColumnSelect
        label={`Column to ${name}`}
        hideLabel
        choices={fieldOptions(dataset, 'measures')}
        ownLabel={dataset.name}
        value={value.column}
        noneLabel="Number of rows"
        onChange={(column) => {
          const [first = 'count'] = choices(column)
          onChange({ column, agg: choices(column).includes(value.agg) ? value.agg : first })
        }}
      />
    </Group>
  )
}

function MeasureFilters({ measure, dataset, grain, onChange }: MeasurePartProps & Pick<MeasureEditorProps, 'grain'>) {
  const name = <NameField measure={measure} dataset={dataset} grain={grain} onChange={onChange} />
  const perGroup = !measure.groups && (
    <Button
      variant="subtle"
      color="gray"
      px="xs"
      leftSection={<IconUsersGroup size={14} aria-hidden />}
      onClick={() => onChange({ ...measure, groups: NEW_GROUPS })}
    >
      Per group
    </Button>
  )
  if (measure.kind === 'kept') return measure.timeCalculation ? name : null
  if (measure.kind === 'metric')
    return (
      <Group gap="xs">
        {name}
        {perGroup}
      </Group>
    )
  const set = (filters: MeasureDraft['filters']): void => onChange({ ...measure, filters })
  const rows = datasetOfMeasure(measure, dataset)
  return (
    <>
      <FilterList filters={measure.filters} dataset={rows} onChange={set} />
      <Group gap="xs">
        {name}
        <Group gap={0} wrap="nowrap">
          {perGroup}
          <Button
            variant="subtle"
            color="gray"
            px="xs"
            leftSection={<IconFilter size={14} aria-hidden />}
            onClick={() => set([...measure.filters, newFilterDraft()])}
          >
            Filters
          </Button>
        </Group>
      </Group>
    </>
  )
}

/** Its own name; of what runs over time that of the whole. */
function NameField({ measure, dataset, grain, onChange }: MeasurePartProps & Pick<MeasureEditorProps, 'grain'>) {
  const { groups, timeCalculation } = measure
  const named = (label: string): MeasureDraft => {
    if (timeCalculation) return { ...measure, timeCalculation: { ...timeCalculation, label } }
    return groups ? { ...measure, groups: { ...groups, label } } : { ...measure, label }
  }
  return (
    <TextInput
      aria-label="Measure name"
      placeholder={`Name: “${describeMeasureDraft(named(''), dataset, grain)}”`}
      value={(timeCalculation ?? groups ?? measure).label}
      maxLength={80}
      onChange={(event) => onChange(named(event.currentTarget.value))}
      style={{ flex: 1, minWidth: 140 }}
    />
  )
}
