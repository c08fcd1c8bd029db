import type { Grain } from '../../../src/shared/query'
import { NAME_MAX_CHARS } from '../../../src/shared/limits'
import type { MeasureDraft, PlanDraft, SimpleMeasure } from './draft'
import { AGGREGATE_WORDS, SIGNS } from './draft-measures'
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

/** A measure in a few words: "Amount", "Average price", "quantity × unit_price". */
export function measureWords(measure: MeasureDraft, dataset: DraftDataset | null): string {
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
    case 'kept':
      return measure.measure.label ?? 'Custom measure'
  }
}

/** The name a new insight is offered: what is measured, and by what it is split. */
export function draftName(draft: PlanDraft): string {
  const measures = draft.measures.map((measure) => measureWords(measure, draft.dataset))
  const splits = draft.splits.flatMap((split) => {
    const column = columnOf(draft.dataset, split.column)
    if (!column) return []
    return split.grain ? [GRAIN_WORDS[split.grain]] : [lower(readable(column.label))]
  })
  const name = [measures.join(', '), splits.join(' and ')].filter((part) => part !== '').join(' by ')
  return name.length > NAME_MAX_CHARS ? `${name.slice(0, NAME_MAX_CHARS - 1).trimEnd()}…` : name
}
