import type { Grain } from '../../../src/shared/query'
import { NAME_MAX_CHARS } from '../../../src/shared/limits'
import type { AlongTime, MeasureDraft, PlanDraft, SimpleMeasure } from './draft'
import { AGGREGATE_WORDS, SIGNS } from './draft-measures'
import { groupingOf, metricOf } from '../../lib/filters/catalogue'
import { columnOf, readable } from '../../lib/filters/fields'
import type { DraftDataset } from '../../lib/filters/fields'

export const GRAIN_WORDS: Record<Grain, string> = {
  hour: 'hour',
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
  fiscalQuarter: 'fiscal quarter',
  fiscalYear: 'fiscal year',
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function simpleWords(simple: SimpleMeasure, dataset: DraftDataset | null): string {
  const column = columnOf(dataset, simple.column)
  if (!column) return 'number of rows'
  const name = readable(column.label)
  return simple.agg === 'sum' ? name : `${lower(AGGREGATE_WORDS[simple.agg])} ${lower(name)}`
}

const namedRows = (id: string, dataset: DraftDataset | null): string => {
  const linked = dataset?.linked?.find((one) => one.use === 'measures' && one.id === id)
  return linked ? `rows of ${linked.name}` : 'rows'
}

/** A measure in a few words: "Amount", "Average price", "quantity × unit_price", "Amount, running total". */
export function measureWords(measure: MeasureDraft, dataset: DraftDataset | null, grain: Grain | null = null): string {
  const { along } = measure
  if (!along) return figureWords(measure, dataset)
  return along.label.trim() || `${figureWords(measure, dataset)}, ${alongWords(along, grain)}`
}

const RESTARTS = {
  never: 'running total',
  year: 'running total of the year',
  fiscalYear: 'running total of the fiscal year',
}
/** How a figure runs along its split by time: "3 months earlier". */
function alongWords(along: AlongTime, grain: Grain | null): string {
  if (along.kind === 'cumulative') return RESTARTS[along.restart]
  const unit = grain === null ? 'unit' : GRAIN_WORDS[grain]
  return along.steps === 1 ? `one ${unit} earlier` : `${along.steps} ${unit}s earlier`
}

/** The units of the one split by time; null without one. */
export function timeGrain({ splits }: Pick<PlanDraft, 'splits'>): Grain | null {
  return splits.find(({ grain, grouping }) => grain !== null && grouping === null)?.grain ?? null
}

function figureWords(measure: MeasureDraft, dataset: DraftDataset | null): string {
  if (measure.label.trim() !== '') return measure.label.trim()
  const name = (operand: Parameters<typeof columnOf>[1] | number): string =>
    typeof operand === 'number' ? String(operand) : lower(readable(columnOf(dataset, operand)?.label ?? '…'))
  switch (measure.kind) {
    case 'count':
      return measure.dataset === null ? 'Number of rows' : `Number of ${namedRows(measure.dataset, dataset)}`
    case 'column':
      return upper(simpleWords(measure, dataset))
    case 'expression':
      return upper(
        [name(measure.first), ...measure.terms.map(({ op, operand }) => `${SIGNS[op]} ${name(operand)}`)].join(' '),
      )
    case 'ratio':
      return upper(`${simpleWords(measure.over, dataset)} per ${simpleWords(measure.under, dataset)}`)
    case 'metric':
      return metricOf(dataset?.catalogue, measure.id)?.name ?? 'A metric'
    case 'kept':
      return measure.measure.label ?? 'Custom measure'
  }
}

/** The name a new insight is offered: what is measured, and by what it is split. */
export function draftName(draft: PlanDraft): string {
  const measures = draft.measures.map((measure) => measureWords(measure, draft.dataset, timeGrain(draft)))
  const splits = draft.splits.flatMap((split) => {
    const column = columnOf(draft.dataset, split.column)
    if (!column) return []
    if (split.grouping) return [groupingOf(draft.dataset?.catalogue, split.grouping.id)?.name ?? 'groups']
    return split.grain ? [GRAIN_WORDS[split.grain]] : [lower(readable(column.label))]
  })
  const name = [measures.join(', '), splits.join(' and ')].filter((part) => part !== '').join(' by ')
  return name.length > NAME_MAX_CHARS ? `${name.slice(0, NAME_MAX_CHARS - 1).trimEnd()}…` : name
}
