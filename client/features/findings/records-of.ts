import type { Finding } from '../../../src/shared/finding-feed'
import type { FindingPeriod } from '../../../src/shared/findings'
import { isLeafMeasure, operandsOf } from '../../../src/shared/plan-fields'
import type { Filter, Measure, QueryPlan } from '../../../src/shared/query'
import { bucketEnd, dayOf } from '../../ui/chart/time-buckets'

/** Filters that belong to the figure itself: the records behind it are only those. */
function measureFilters(measure: Measure | undefined): Filter[] {
  if (!measure) return []
  return isLeafMeasure(measure) ? (measure.filter ?? []) : measureFilters(operandsOf(measure)[0])
}

function memberFilter({ about, member }: Finding): Filter[] {
  const field = member && about.dimensions.find(({ key }) => key === member.dimension)?.field
  if (!member || !field) return []
  return [{ field, any: [member.value === null ? { op: 'empty' } : { op: 'eq', value: member.value }] }]
}

/** The days whose records tell of a finding: its own, but of a member that is gone those when it was there. */
export const findingRecordsPeriod = ({ kind, period, comparison }: Finding): FindingPeriod =>
  kind === 'lostMember' ? (comparison ?? period) : period

/** The records that a finding is about: those of its member, in its days. */
export function findingRecordsPlan(finding: Finding): QueryPlan {
  const { about } = finding
  const period = findingRecordsPeriod(finding)
  const [from, last] = [dayOf(period.from) ?? period.from, dayOf(period.to) ?? period.to]
  const range = { kind: 'absolute' as const, from, to: bucketEnd(last, period.grain) }
  return {
    ...{ v: 2, kind: 'rows', dataset: about.dataset, measures: [], dimensions: [] },
    filters: [...about.filters, ...measureFilters(about.measure), ...memberFilter(finding)],
    period: { field: about.time, range, compare: 'none', completeOnly: false },
  }
}
