import { limitText } from '../../../../src/shared/query/condition-text'
import { session } from '../../../lib/session'
import type { Grain } from '../../../../src/shared/query/date-range'
import { NAME_MAX_CHARS } from '../../../../src/shared/limits'
import type { TimeCalculation, MeasureDraft, PlanDraft, ColumnAggregate } from './draft'
import { AGGREGATE_LABELS } from '../../../lib/query-builder/aggregate-labels'
import { describeRowFormula } from '../../../../src/shared/formula/print'
import { TERMS } from '../../../../src/shared/terms'
import { toFormulaMeasure } from './measure-formula'
import {
  DATE_PART_LABELS,
  describeBy,
  describeGrouped,
  describeMoving,
  describeUnitCount,
  GRAIN_LABELS,
  percentileLabel,
} from '../../../../src/shared/query/plan-labels'
import { lowerFirst, capitalize, humanizeLabel } from '../../../../src/shared/text'
import {
  datasetIdOfKey,
  fieldKeyOf,
  findGrouping,
  findMetric,
  findColumn,
  measureDatasetById,
} from '../../../lib/query-builder/catalogue'
import type { BuilderDataset, FieldKey } from '../../../lib/query-builder/catalogue'

function describeColumnAggregate(
  simple: ColumnAggregate & { percentile?: number; shown?: FieldKey | null },
  dataset: BuilderDataset | null,
): string {
  const column = findColumn(dataset, simple.column)
  if (!column) return 'number of rows'
  const name = humanizeLabel(column.label)
  if (simple.shown !== undefined && dataset) {
    const shown = findColumn(measureDatasetById(dataset, datasetIdOfKey(simple.column)), simple.shown)
    return `${shown ? humanizeLabel(shown.label) : '…'} ${describeBy(simple.agg, name)}`
  }
  if (simple.percentile !== undefined) return `${percentileLabel(simple.percentile)} ${name}`
  return simple.agg === 'sum' ? name : `${lowerFirst(AGGREGATE_LABELS[simple.agg])} ${name}`
}

const describeRows = (id: string, dataset: BuilderDataset | null): string => {
  const linked = dataset?.linked?.find((one) => one.use === 'measures' && one.id === id)
  return linked ? `rows of ${linked.name}` : 'rows'
}

/** A measure in a few words: "Amount", "Average price", "quantity × unit_price", "Amount, running total". */
export function describeMeasureDraft(
  measure: MeasureDraft,
  dataset: BuilderDataset | null,
  grain: Grain | null = null,
): string {
  const { timeCalculation } = measure
  if (!timeCalculation) return describeGroupedDraft(measure, dataset)
  return (
    timeCalculation.label.trim() ||
    `${describeGroupedDraft(measure, dataset)}, ${describeTimeCalculation(timeCalculation, grain)}`
  )
}

const limitOf = (value: number): string =>
  limitText(value, undefined, session().workspace?.settings.numberLocale ?? 'en-GB')

function describeGroupedDraft(measure: MeasureDraft, dataset: BuilderDataset | null): string {
  const { groups } = measure
  const base = describeBaseMeasure(measure, dataset)
  if (!groups) return base
  const { agg, by, grain, having, largest, label } = groups
  const column = humanizeLabel(findColumn(dataset, by)?.label ?? 'group')
  const limits = { ...(having ? { having } : {}), ...(largest === null ? {} : { largest }) }
  const of = measure.label.trim() === '' && measure.kind !== 'metric' ? lowerFirst(base) : base
  const name = grain === null ? column : `${GRAIN_LABELS[grain]} of ${column}`
  return label.trim() || describeGrouped({ agg, ...limits }, { of, by: name, limitOf })
}

const RUNNING_TOTAL_LABELS = {
  never: 'running total',
  year: 'year to date',
  fiscalYear: 'fiscal year to date',
}
/** How a figure runs along its split by time: "3 months earlier". */
function describeTimeCalculation(calculation: TimeCalculation, grain: Grain | null): string {
  if (calculation.kind === 'cumulative') return RUNNING_TOTAL_LABELS[calculation.restart]
  const unit = grain === null ? 'unit' : GRAIN_LABELS[grain]
  if (calculation.kind === 'moving') return describeMoving(calculation, unit)
  return `${describeUnitCount(calculation.steps, unit)} earlier`
}

/** The units of the one split by time; null without one. */
export function timeGrain({ dimensions }: Pick<PlanDraft, 'dimensions'>): Grain | null {
  return dimensions.find(({ grain, grouping }) => grain !== null && grouping === null)?.grain ?? null
}

/** A sum of rows by what is summed: "quantity × unit price"; of any other formula its text says too much. */
function describeFormulaDraft(formula: string, dataset: BuilderDataset | null): string {
  const measure = dataset && toFormulaMeasure(formula, dataset)
  if (!measure || typeof measure === 'string' || measure.kind !== 'expression' || measure.agg !== 'sum')
    return TERMS.customFormula
  return describeRowFormula(measure.row, (field) =>
    humanizeLabel(findColumn(dataset, fieldKeyOf(dataset, field))?.label ?? '…'),
  )
}

function describeBaseMeasure(measure: MeasureDraft, dataset: BuilderDataset | null): string {
  if (measure.label.trim() !== '') return measure.label.trim()
  switch (measure.kind) {
    case 'count':
      return measure.dataset === null ? 'Number of rows' : `Number of ${describeRows(measure.dataset, dataset)}`
    case 'column':
      return capitalize(describeColumnAggregate(measure, dataset))
    case 'expression':
      return capitalize(describeFormulaDraft(measure.formula, dataset))
    case 'ratio':
      return capitalize(
        `${describeColumnAggregate(measure.over, dataset)} per ${describeColumnAggregate(measure.under, dataset)}`,
      )
    case 'metric':
      return findMetric(dataset?.catalogue, measure.id)?.name ?? 'A metric'
    case 'kept':
      return measure.measure.label ?? 'Custom measure'
  }
}

export function suggestInsightName(draft: PlanDraft): string {
  const measures = draft.measures.map((measure) => describeMeasureDraft(measure, draft.dataset, timeGrain(draft)))
  const splits = draft.dimensions.flatMap((split) => {
    const column = findColumn(draft.dataset, split.column)
    if (!column) return []
    if (split.grouping) return [findGrouping(draft.dataset?.catalogue, split.grouping.id)?.name ?? 'groups']
    if (split.part) return [DATE_PART_LABELS[split.part]]
    return split.grain ? [GRAIN_LABELS[split.grain]] : [humanizeLabel(column.label)]
  })
  const name = [measures.join(', '), splits.join(' and ')].filter((part) => part !== '').join(' by ')
  return name.length > NAME_MAX_CHARS ? `${name.slice(0, NAME_MAX_CHARS - 1).trimEnd()}…` : name
}
