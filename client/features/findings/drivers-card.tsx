import { QueryError } from '../../ui/query-view'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ChangeDrivers } from '../../../src/shared/findings'
import type { Insight } from '../../../src/shared/insights'
import { TERMS } from '../../../src/shared/terms'
import type { QueryPlan } from '../../../src/shared/query/plan'
import { SectionCard } from '../../ui/section-card'
import { ContributionBreakdown, type ChangeSummary } from './contributions'
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
    <SectionCard title={TERMS.contributionToChange}>
      {drivers.isPending && <Skeleton height={240} role="status" aria-label="Loading" />}
      {drivers.error && !drivers.data && <QueryError query={drivers} />}
      {drivers.data?.whyNot === 'notAdditive' && <MutedText>No breakdown: this measure isn’t additive.</MutedText>}
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
