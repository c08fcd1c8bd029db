import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Dispatch, ReactNode } from 'react'
import type { Metric } from '../../../src/shared/metrics'
import type { Catalogue } from '../../lib/filters/catalogue'
import { useMayNow } from '../../lib/gate'
import { LinkAnchor } from '../../ui/links'
import type { Dataset } from '../../../src/shared/sources'
import { datasetChoices } from './dataset-choices'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { metricsOf } from '../../../src/shared/plan-fields'
import { ChartChoice } from './chart-choice'
import { CurrencyEditor } from './currency-editor'
import { FILTERS_MAX, MEASURES_MAX, SPLITS_MAX } from './draft'
import type { PlanDraft } from './draft'
import type { History } from './draft-defaults'
import { chartShape } from './draft-plan'
import type { Built } from './draft-plan'
import type { DraftAction } from './draft-reducer'
import classes from './insights.module.css'
import { MeasureEditor } from './measure-editor'
import { hasMoney } from './money-columns'
import { PeriodEditor } from './period-editor'
import type { SourcedDataset } from '../../lib/loaded-datasets'
import { SplitEditor } from './split-editor'
import { choicesFor, isTemporal } from '../../lib/filters/fields'
import type { LinkedDataset } from '../../lib/filters/fields'
import { timeGrain } from './draft-words'
import { FilterEditor } from '../../lib/filters/filter-editor'

export interface BuilderPanelProps {
  draft: PlanDraft
  built: Built
  dispatch: Dispatch<DraftAction>
  dataset: Dataset & { linked?: LinkedDataset[]; catalogue?: Catalogue }
  datasets?: SourcedDataset[]
  onDataset?: (id: string) => void
  history: History | null
  /** Looks at the data of a metric that does not join to this. */
  onElsewhere?: ((metric: Metric) => void) | undefined
}

/** The choices, in the order a question is thought: what, by what, when, of which rows, how it looks. */
export function BuilderPanel(props: BuilderPanelProps) {
  const { built, draft, dataset, dispatch } = props
  return (
    <div className="surface">
      <DataSection {...props} />
      <MeasuresSection {...props} />
      <SplitsSection {...props} />
      <PeriodSection {...props} />
      <FiltersSection {...props} />
      <CurrencySection {...props} />
      {built.ok && (
        <Section title="Chart">
          <ChartChoice
            shape={chartShape(built.plan, dataset)}
            viz={built.viz}
            onChart={(chart) => dispatch({ type: 'chart', chart })}
            onDirection={(direction) => dispatch({ type: 'direction', direction })}
          />
        </Section>
      )}
      {draft.kept.having && (
        <Section title="Limits on figures">
          <Text size="sm">Kept as saved.</Text>
        </Section>
      )}
    </div>
  )
}

function Section({ title, add, children }: { title: string; add?: ReactNode; children?: ReactNode }) {
  return (
    <fieldset className={classes.section}>
      <legend className="only-reader">{title}</legend>
      <Text fw={600} size="sm" mb={8} aria-hidden="true">
        {title}
      </Text>
      <Stack gap="sm">
        {children}
        {add}
      </Stack>
    </fieldset>
  )
}

function Add({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={onClick}
      style={{ alignSelf: 'flex-start' }}
    >
      {label}
    </Button>
  )
}

function DataSection({ dataset, datasets, onDataset }: BuilderPanelProps) {
  const format = useFormat()
  const source = datasets?.find((one) => one.id === dataset.id)?.sourceName
  return (
    <Section title="Data">
      {datasets && onDataset ? (
        <Select
          aria-label="Data"
          data={datasetChoices(datasets)}
          value={dataset.id}
          allowDeselect={false}
          searchable={datasets.length > 8}
          onChange={(id) => id !== null && onDataset(id)}
        />
      ) : (
        <Text size="sm">{dataset.name}</Text>
      )}
      <Text size="xs" c="dimmed">
        {source !== undefined && source !== dataset.name && `${source}: `}
        {format.count(dataset.rowCount)} rows, loaded {format.dateTime(dataset.loadedAt)}
      </Text>
    </Section>
  )
}

function MeasuresSection({ draft, dataset, dispatch, onElsewhere }: BuilderPanelProps) {
  const grain = timeGrain(draft)
  const room = draft.measures.length < MEASURES_MAX
  return (
    <Section
      title="Measure"
      add={
        room && (
          <Group gap={4}>
            <Add label="Add measure" onClick={() => dispatch({ type: 'addMeasure' })} />
            {grain && <Add label="Add earlier period" onClick={() => dispatch({ type: 'addEarlier' })} />}
          </Group>
        )
      }
    >
      {dataset.catalogue?.metrics.length === 0 && <NoMetrics />}
      {draft.measures.map((measure, at) => (
        <MeasureEditor
          key={at}
          measure={measure}
          dataset={dataset}
          grain={grain}
          onElsewhere={onElsewhere}
          onChange={(next) => dispatch({ type: 'measure', at, measure: next })}
          {...(draft.measures.length > 1 ? { onRemove: () => dispatch({ type: 'removeMeasure', at }) } : {})}
        />
      ))}
    </Section>
  )
}

/** Where figures get names, while none has one. */
function NoMetrics() {
  const may = useMayNow('edit:metric')
  if (!may) return null
  return (
    <Text size="xs" c="dimmed">
      No metric yet.{' '}
      <LinkAnchor to="/metrics" size="xs" underline="always">
        See suggested metrics
      </LinkAnchor>
    </Text>
  )
}

function SplitsSection({ draft, dataset, dispatch }: BuilderPanelProps) {
  const room = draft.splits.length < SPLITS_MAX
  return (
    <Section title="Split by" add={room && <Add label="Add split" onClick={() => dispatch({ type: 'addSplit' })} />}>
      {draft.splits.map((split, at) => (
        <SplitEditor
          key={at}
          split={split}
          dataset={dataset}
          onChange={(change) => dispatch({ type: 'split', at, change })}
          onRemove={() => dispatch({ type: 'removeSplit', at })}
        />
      ))}
    </Section>
  )
}

function PeriodSection({ draft, dataset, history, dispatch }: BuilderPanelProps) {
  if (choicesFor(dataset, 'splits', isTemporal).length === 0) return null
  if (!draft.period)
    return <Section title="Period" add={<Add label="Add period" onClick={() => dispatch({ type: 'addPeriod' })} />} />
  return (
    <Section title="Period">
      <PeriodEditor
        period={draft.period}
        dataset={dataset}
        history={history}
        onChange={(change) => dispatch({ type: 'period', change })}
      />
    </Section>
  )
}

/** Only where there is money. */
function CurrencySection({ built, draft, dataset, dispatch }: BuilderPanelProps) {
  const opens = useSession().workspace?.entitlements.features.multiCurrency ?? false
  if (!built.ok) return null
  // What a metric stands for is known to the server alone.
  const metrics = opens && metricsOf(built.plan.measures).length > 0
  if (!draft.currency && !metrics && !hasMoney(built.plan, [dataset, ...(dataset.linked ?? [])])) return null
  return (
    <Section title="Show amounts in">
      <CurrencyEditor
        plan={built.plan}
        dataset={dataset}
        onChange={(currency) => dispatch({ type: 'currency', currency })}
      />
    </Section>
  )
}

function FiltersSection({ draft, dataset, dispatch }: BuilderPanelProps) {
  const room = draft.filters.length < FILTERS_MAX
  return (
    <Section
      title="Only where"
      add={room && <Add label="Add filter" onClick={() => dispatch({ type: 'addFilter' })} />}
    >
      {draft.filters.map((filter, at) => (
        <FilterEditor
          key={at}
          filter={filter}
          dataset={dataset}
          onChange={(next) => dispatch({ type: 'filter', at, filter: next })}
          onRemove={() => dispatch({ type: 'removeFilter', at })}
        />
      ))}
    </Section>
  )
}
