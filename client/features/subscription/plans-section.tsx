import { Group, SegmentedControl, Text, Title } from '@mantine/core'
import { useId, useState } from 'react'
import { PlanCard } from './plan-card'
import { PLANS_ID } from './plan-names'
import classes from './subscription.module.css'
import { PLANS } from '../../../src/shared/plans'
import type { Interval } from '../../../src/shared/prices'
import type { SubscriptionView } from '../../../src/shared/subscription'

const CHOICES: { value: Interval; label: string }[] = [
  { value: 'monthly', label: 'Monthly' },
  { value: 'yearly', label: 'Yearly' },
]

/** The plans on sale side by side, for a month or a year. */
export function PlansSection({ view }: { view: SubscriptionView }) {
  const [interval, setInterval] = useState<Interval>(view.interval ?? 'monthly')
  const id = useId()
  return (
    <section aria-labelledby={id} id={PLANS_ID} className={classes.anchor}>
      <Group justify="space-between" align="flex-end" mb="md" gap="sm">
        <div>
          <Title order={2} id={id}>
            Plans
          </Title>
          <Text size="sm" c="dimmed" maw="65ch">
            A larger plan works at once and only the difference is charged. A smaller one waits for the end of what is
            paid for. You see the exact amount before you confirm.
          </Text>
        </div>
        <SegmentedControl
          data={CHOICES}
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
