import { QueryError } from '../../ui/query-view'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ChangeDrivers } from '../../../src/shared/findings'
import type { Insight } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query/plan'
import { useCellFormatter } from '../../lib/cell-formatter'
import { SectionCard } from '../../ui/section-card'
import { ContributionBreakdown, changeColumn, type ChangeSummary } from './contributions'
import { driversQuery } from './queries'
import { MutedText } from '../../ui/muted-text'

/** Only a question that compares two periods has a change to take apart. */
const hasComparison = (plan: QueryPlan): boolean =>
  plan.kind === 'aggregate' && plan.period !== undefined && plan.period.compare !== 'none'

export function DriversCard({ insight }: { insight: Pick<Insight, 'plan' | 'viz'> }) {
  const { plan, viz } = insight
  const isComparable = hasComparison(plan)
  const isPercent = viz.percent?.includes(0) === true
  const drivers = useQuery({
    ...driversQuery({ plan }),
    enabled: isComparable,
    select: (data) => (isPercent ? { ...data, format: { style: 'percent' as const } } : data),
  })
  if (!isComparable || drivers.data?.whyNot === 'nothing') return null
  return (
    <SectionCard
      title="What accounts for the change"
      description={drivers.data && <DriversDescription drivers={drivers.data} />}
    >
      {drivers.isPending && <Skeleton height={240} role="status" aria-label="Loading" />}
      {drivers.error && !drivers.data && <QueryError query={drivers} />}
      {drivers.data?.whyNot === 'notAdditive' && (
        <MutedText>
          The parts of this figure do not add up to a whole, so its change cannot be taken apart. Sums, counts and
          ratios of them can.
        </MutedText>
      )}
      {drivers.data && drivers.data.whyNot === null && (
        <ContributionBreakdown change={changeOfDrivers(drivers.data)} tables={drivers.data.tables} />
      )}
    </SectionCard>
  )
}

const changeOfDrivers = ({ label, format, scale, previous, value, period, compare }: ChangeDrivers): ChangeSummary => ({
  label,
  format,
  scale,
  previous,
  value,
  now: period.label,
  before: compare.label,
})

function DriversDescription({ drivers }: { drivers: ChangeDrivers }) {
  const format = useCellFormatter()
  const column = changeColumn(changeOfDrivers(drivers))
  const { change, percent, previous, value, period, compare } = drivers
  if (change === null) return <>No comparison with {compare.label}.</>
  const share = percent === null ? '' : ` (${format.percent(percent, true)})`
  return (
    <>
      {drivers.label}: {format.full(previous, column)} in {compare.label}, {format.full(value, column)} in{' '}
      {period.label}: {format.signed(change, column)}
      {share}.
    </>
  )
}
