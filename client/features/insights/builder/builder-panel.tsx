import { TERMS } from '../../../../src/shared/terms'
import { Group, Select, Stack, Text } from '@mantine/core'
import type { Dispatch, ReactNode } from 'react'
import type { Metric } from '../../../../src/shared/metrics'
import { fieldOptions, isTemporal } from '../../../lib/query-builder/catalogue'
import type { SemanticCatalogue, LinkedDataset } from '../../../lib/query-builder/catalogue'
import { useMayWrite } from '../../../lib/gate'
import { LinkAnchor } from '../../../ui/buttons/links'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import { datasetOptions } from './new-insight-draft'
import { useFormat } from '../../../lib/format'
import { useSession } from '../../../lib/session'
import { metricIdsOf } from '../../../../src/shared/query/plan-fields'
import { ChartPicker } from './chart-picker'
import { CurrencyEditor } from './currency-editor'
import { CONDITIONS_MAX, FILTERS_MAX, MEASURES_MAX, DIMENSIONS_MAX, type PlanDraft } from './draft'
import type { DataRange } from '../../../lib/query-builder/time-column'
import { chartShape, type BuiltPlan } from './build-plan'
import type { DraftAction } from './draft-reducer'
import { AddButton } from '../../../ui/buttons/add-button'
import classes from '../insights.module.css'
import { MeasureEditor } from './measure-editor'
import { hasConvertibleAmounts } from '../view/plan-currencies'
import { ConditionEditor } from './condition-editor'
import { answersNumbers } from './measure-draft'
import { PeriodEditor } from './period-editor'
import type { DatasetWithSource } from '../../../lib/queries/data-source-queries'
import { DimensionEditor } from './dimension-editor'
import { timeGrain } from './describe-draft'
import { FilterEditor } from '../../../lib/query-builder/filter-editor'
import { MutedText } from '../../../ui/muted-text'

export interface BuilderPanelProps {
  draft: PlanDraft
  built: BuiltPlan
  dispatch: Dispatch<DraftAction>
  dataset: Dataset & { linked?: LinkedDataset[]; catalogue?: SemanticCatalogue }
  datasets?: DatasetWithSource[] | undefined
  onDataset?: ((id: string) => void) | undefined
  dataRange: DataRange | null
  /** Looks at the data of a metric that does not join to this. */
  onSwitchDataset?: ((metric: Metric) => void) | undefined
}

/** The choices, in the order a question is thought: what, by what, when, of which rows, how it looks. */
export function BuilderPanel(props: BuilderPanelProps) {
  const { built, dataset, draft, dispatch } = props
  const hasFigure = draft.measures.some((measure) => answersNumbers(measure, dataset))
  return (
    <div className="surface">
      <DataSection {...props} />
      <MeasuresSection {...props} />
      <DimensionsSection {...props} />
      <PeriodSection {...props} />
      <FiltersSection {...props} />
      <ConditionsSection {...props} />
      <CurrencySection {...props} />
      {built.ok && (
        <BuilderSection title="Chart">
          <ChartPicker
            shape={chartShape(built.plan, dataset)}
            viz={built.viz}
            onChart={(chart) => dispatch({ type: 'chart', chart })}
            onDirection={hasFigure ? (direction) => dispatch({ type: 'direction', direction }) : undefined}
          />
        </BuilderSection>
      )}
    </div>
  )
}

function BuilderSection({ title, add, children }: { title: string; add?: ReactNode; children?: ReactNode }) {
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

function DataSection({ dataset, datasets, onDataset }: BuilderPanelProps) {
  const format = useFormat()
  const source = datasets?.find((one) => one.id === dataset.id)?.sourceName
  return (
    <BuilderSection title="Data">
      {datasets && onDataset ? (
        <Select
          aria-label="Data"
          data={datasetOptions(datasets)}
          value={dataset.id}
          searchable={datasets.length > 8}
          onChange={(id) => id !== null && onDataset(id)}
        />
      ) : (
        <Text size="sm">{dataset.name}</Text>
      )}
      <MutedText size="xs">
        {source !== undefined && source !== dataset.name && `${source}: `}
        {format.count(dataset.rowCount)} rows, loaded {format.dateTime(dataset.loadedAt)}
      </MutedText>
    </BuilderSection>
  )
}

function MeasuresSection({ draft, dataset, dispatch, onSwitchDataset }: BuilderPanelProps) {
  const grain = timeGrain(draft)
  const canAddMeasure = draft.measures.length < MEASURES_MAX
  return (
    <BuilderSection
      title="Measure"
      add={
        canAddMeasure && (
          <Group gap={4}>
            <AddButton label="Add measure" onClick={() => dispatch({ type: 'addMeasure' })} />
            {grain && <AddButton label="Add earlier period" onClick={() => dispatch({ type: 'addEarlier' })} />}
          </Group>
        )
      }
    >
      {dataset.catalogue?.metrics.length === 0 && <NoMetricsHint />}
      {draft.measures.length === 0 && <MutedText size="xs">No measure: lists the values that occur.</MutedText>}
      {draft.measures.map((measure, at) => (
        <MeasureEditor
          key={at}
          measure={measure}
          dataset={dataset}
          grain={grain}
          onSwitchDataset={onSwitchDataset}
          onChange={(next) => dispatch({ type: 'measure', at, measure: next })}
          onRemove={
            draft.measures.length > 1 || draft.dimensions.length > 0
              ? () => dispatch({ type: 'removeMeasure', at })
              : undefined
          }
        />
      ))}
    </BuilderSection>
  )
}

function NoMetricsHint() {
  const may = useMayWrite('edit:metric')
  if (!may) return null
  return (
    <MutedText size="xs">
      No metric yet.{' '}
      <LinkAnchor to="/metrics" size="xs" underline="always">
        See suggested metrics
      </LinkAnchor>
    </MutedText>
  )
}

function DimensionsSection({ draft, dataset, dispatch }: BuilderPanelProps) {
  const canAddDimension = draft.dimensions.length < DIMENSIONS_MAX
  return (
    <BuilderSection
      title={TERMS.breakDownBy}
      add={canAddDimension && <AddButton label="Add dimension" onClick={() => dispatch({ type: 'addSplit' })} />}
    >
      {draft.dimensions.map((split, at) => (
        <DimensionEditor
          key={at}
          dimension={split}
          dataset={dataset}
          onChange={(change) => dispatch({ type: 'split', at, change })}
          onRemove={() => dispatch({ type: 'removeSplit', at })}
        />
      ))}
    </BuilderSection>
  )
}

function PeriodSection({ draft, dataset, dataRange, dispatch }: BuilderPanelProps) {
  if (fieldOptions(dataset, 'splits', isTemporal).length === 0) return null
  if (!draft.period)
    return (
      <BuilderSection
        title="Period"
        add={<AddButton label="Add period" onClick={() => dispatch({ type: 'addPeriod' })} />}
      />
    )
  return (
    <BuilderSection title="Period">
      <PeriodEditor
        period={draft.period}
        dataset={dataset}
        dataRange={dataRange}
        onChange={(change) => dispatch({ type: 'period', change })}
      />
    </BuilderSection>
  )
}

/** Only where there is money. */
function CurrencySection({ built, draft, dataset, dispatch }: BuilderPanelProps) {
  const canConvert = useSession().workspace?.entitlements.features.multiCurrency ?? false
  if (!built.ok) return null
  // What a metric stands for is known to the server alone.
  const metrics = canConvert && metricIdsOf(built.plan.measures).length > 0
  if (!draft.currency && !metrics && !hasConvertibleAmounts(built.plan, [dataset, ...(dataset.linked ?? [])]))
    return null
  return (
    <BuilderSection title="Show amounts in">
      <CurrencyEditor
        plan={built.plan}
        dataset={dataset}
        onChange={(currency) => dispatch({ type: 'currency', currency })}
      />
    </BuilderSection>
  )
}

/** Only of answers with rows and figures. */
function ConditionsSection({ draft, dispatch }: BuilderPanelProps) {
  const { conditions = [], dimensions, measures, dataset } = draft
  const canAsk = dimensions.length > 0 && measures.some((measure) => answersNumbers(measure, dataset))
  if (conditions.length === 0 && !canAsk) return null
  return (
    <BuilderSection
      title="Conditions"
      add={
        conditions.length < CONDITIONS_MAX && (
          <AddButton label="Add condition" onClick={() => dispatch({ type: 'addCondition' })} />
        )
      }
    >
      {conditions.map((condition, at) => (
        <ConditionEditor
          key={at}
          condition={condition}
          draft={draft}
          onChange={(next) => dispatch({ type: 'condition', at, condition: next })}
          onRemove={() => dispatch({ type: 'removeCondition', at })}
        />
      ))}
    </BuilderSection>
  )
}

function FiltersSection({ draft, dataset, dispatch }: BuilderPanelProps) {
  const canAddFilter = draft.filters.length < FILTERS_MAX
  return (
    <BuilderSection
      title={TERMS.filters}
      add={canAddFilter && <AddButton label="Add filter" onClick={() => dispatch({ type: 'addFilter' })} />}
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
    </BuilderSection>
  )
}
