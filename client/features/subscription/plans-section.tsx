import { Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useId, useState } from 'react'
import { PlanCard } from './plan-card'
import { PLANS_ANCHOR } from './plan-names'
import classes from './subscription.module.css'
import { PLANS } from '../../../src/shared/plans'
import type { BillingInterval } from '../../../src/shared/prices'
import type { SubscriptionView } from '../../../src/shared/subscription'

const INTERVAL_OPTIONS: { value: BillingInterval; label: string }[] = [
  { value: 'monthly', label: 'Monthly' },
  { value: 'yearly', label: 'Yearly' },
]

/** How one gets from what there is to a plan. */
function plansDescription({ planId, state }: SubscriptionView): string {
  if (state === 'trialing')
    return 'A plan works at once, and what is left of the trial stays yours. You see the exact amount before you confirm.'
  if (planId === null || state === 'canceled')
    return 'A plan works at once. You see the exact amount before you confirm.'
  return planId === 'legacy'
    ? 'These are paid in euro, the older tier in kronor. To take one of them, cancel the older tier; once it has ended, each can be bought.'
    : 'A larger plan works at once and only the difference is charged. A smaller one waits for the end of what is paid for. You see the exact amount before you confirm.'
}

/** The plans on sale side by side, for a month or a year. */
export function PlansSection({ view }: { view: SubscriptionView }) {
  const [interval, setInterval] = useState<BillingInterval>(view.interval ?? 'monthly')
  const id = useId()
  return (
    <section aria-labelledby={id} id={PLANS_ANCHOR} className={classes.anchor}>
      <Group justify="space-between" align="flex-end" mb="md" gap="sm">
        <div>
          <Title order={2} id={id}>
            Plans
          </Title>
          <Text size="sm" c="dimmed" maw="65ch">
            {plansDescription(view)}
            {interval === 'yearly' && ' A year costs twelve months.'}
          </Text>
        </div>
        <SegmentedControl
          data={INTERVAL_OPTIONS}
          value={interval}
          onChange={(value) => setInterval(value === 'yearly' ? 'yearly' : 'monthly')}
          aria-label="Pay monthly or yearly"
        />
      </Group>
      <ul className={classes.plans}>
        {PLANS.filter(({ hidden }) => !hidden).map((plan) => (
          <PlanCard key={plan.id} plan={plan} interval={interval} view={view} />
        ))}
      </ul>
    </section>
  )
}
