import { isSameField } from '../../../src/shared/query/plan-fields'
import type { Dimension, QueryPlan } from '../../../src/shared/query/plan'
import type { Field } from '../../../src/shared/query/field'
import type { Grain } from '../../../src/shared/query/date-range'
import { usesTimeCalculation } from '../query-builder/catalogue'
import { narrowToRow, splitsMeant, type DrillRequest } from './drill-plan'

/** What a reader can ask next of a mark: the question as it was, narrowed to the mark. Nothing of it is saved. */
type Mark = Omit<DrillRequest, 'offset' | 'row'> & { row: number }

const FINER_GRAINS: Partial<Record<Grain, Grain>> = {
  fiscalYear: 'month',
  year: 'month',
  fiscalQuarter: 'month',
  quarter: 'month',
  month: 'day',
  week: 'day',
}
const BREAKDOWN_MAX = 20

const isTime = ({ grain }: Dimension): boolean => grain !== undefined

/** Only the rows of the mark's names; null where it has none but its time. */
export function filterToMark(mark: Mark): QueryPlan | null {
  const { plan } = mark
  const names = splitsMeant(mark).filter((at) => plan.dimensions.some((one, place) => place === at && !isTime(one)))
  const filters = names.flatMap((at) => narrowToRow(mark, [at]).filters)
  return filters.length === 0 ? null : { ...plan, v: 3, filters: [...plan.filters, ...filters] }
}

/** The mark's own time by the next finer unit; null where it has none, or no finer one. */
export function zoomToMark(mark: Mark): QueryPlan | null {
  const { plan } = mark
  const meant = splitsMeant(mark)
  const at = plan.dimensions.findIndex((one, place) => isTime(one) && meant.includes(place))
  const time = plan.dimensions[at]
  const grain = time?.grain && FINER_GRAINS[time.grain]
  if (!time || grain === undefined) return null
  const { filters, period } = narrowToRow(mark, [at])
  const kept = plan.period && { ...plan.period, completeOnly: false }
  return {
    ...plan,
    v: 3,
    dimensions: plan.dimensions.map((dimension, place) => (place === at ? { ...dimension, grain } : dimension)),
    filters: [...plan.filters, ...filters],
    ...(kept ? { period: period ? { ...kept, range: period.range } : kept } : {}),
  }
}

/** What the mark is made of, by another column; null where figures are worked out over time. */
export function breakDownMark(mark: Mark, field: Field): QueryPlan | null {
  const { plan } = mark
  if (plan.measures.some(usesTimeCalculation)) return null
  const { filters, period } = narrowToRow(mark, splitsMeant(mark))
  const { having: _having, sort: _sort, ...rest } = plan
  return {
    ...rest,
    v: 3,
    dimensions: [{ field, topN: BREAKDOWN_MAX }],
    filters: [...plan.filters, ...filters],
    sort: [{ by: { measure: 0 }, dir: 'desc' }],
    ...(plan.period && period ? { period: { ...plan.period, range: period.range, completeOnly: false } } : {}),
  }
}

/** Columns that a mark may be broken down by: those it is not broken down by already. */
export const isBrokenDownBy = ({ dimensions }: QueryPlan, field: Field): boolean =>
  dimensions.some((split) => isSameField(split.field, field) || (split.label && isSameField(split.label, field)))
