import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Drivers } from '../../../src/shared/finding-feed'
import type { Insight } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import { useFigureFormat } from '../../ui/chart/figure-format'
import { ErrorState } from '../../ui/error-state'
import { SectionCard } from '../../ui/section-card'
import { Contributions } from './contributions'
import { changeColumn } from './contribution-steps'
import type { Change } from './contribution-steps'
import { driversQuery } from './queries'

/** Only a question that compares two periods has a change to take apart. */
const compares = (plan: QueryPlan): boolean =>
  plan.kind === 'aggregate' && plan.period !== undefined && plan.period.compare !== 'none'

/** What accounts for the change between the two periods that an insight compares. */
export function DriversCard({ insight }: { insight: Pick<Insight, 'plan' | 'viz'> }) {
  const { plan, viz } = insight

  const asked = compares(plan)
  const isPercent = viz.percent?.includes(0) === true
  const drivers = useQuery({
    ...driversQuery({ plan }),
    enabled: asked,
    select: (data) => (isPercent ? { ...data, format: { style: 'percent' as const } } : data),
  })
  if (!asked || drivers.data?.whyNot === 'nothing') return null
  return (
    <SectionCard title="What accounts for the change" description={drivers.data && <Ends drivers={drivers.data} />}>
      {drivers.isPending && <Skeleton height={240} role="status" aria-label="Loading" />}
      {drivers.error && !drivers.data && <ErrorState error={drivers.error} onRetry={() => void drivers.refetch()} />}
      {drivers.data?.whyNot === 'notAdditive' && (
        <Text size="sm" c="dimmed">
          The parts of this figure do not add up to a whole, so its change cannot be taken apart. Sums, counts and
          ratios of them can.
        </Text>
      )}
      {drivers.data && drivers.data.whyNot === null && (
        <Contributions change={changeOf(drivers.data)} tables={drivers.data.tables} />
      )}
    </SectionCard>
  )
}

const changeOf = ({ label, format, scale, previous, value, period, compare }: Drivers): Change => ({
  ...{ label, format, scale, previous, value, now: period.label, before: compare.label },
})

function Ends({ drivers }: { drivers: Drivers }) {
  const format = useFigureFormat()
  const column = changeColumn(changeOf(drivers))
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
