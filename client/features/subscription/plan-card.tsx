import { Badge, Group, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { ContactSalesButton } from './contact-button'
import { INTERVAL_ADVERBS, INTERVAL_PRICE_SUFFIX } from './plan-names'
import classes from './subscription.module.css'
import { amountOf, useMoney } from '../../lib/money'
import { LinkButton } from '../../ui/links'
import { SELLABLE_PLAN_IDS } from '../../../src/shared/plans'
import type { Plan, PlanId, SellablePlanId } from '../../../src/shared/plans'
import type { BillingInterval } from '../../../src/shared/prices'
import type { SubscriptionView } from '../../../src/shared/subscription'

const isSellable = (id: PlanId): id is SellablePlanId => SELLABLE_PLAN_IDS.some((one) => one === id)
/** States in which the plan that was bought last gives nothing any more. */
const isWithoutPlan = ({ state }: SubscriptionView): boolean =>
  ['trialing', 'trial_expired', 'awaiting_checkout', 'canceled'].includes(state)

interface PlanCardProps {
  plan: Plan
  interval: BillingInterval
  view: SubscriptionView
}

/** One plan: price, what it has, and the way to it. */
export function PlanCard({ plan, interval, view }: PlanCardProps) {
  const money = useMoney()
  const isCurrent = !isWithoutPlan(view) && view.planId === plan.id
  const amount = amountOf(plan.prices[interval])
  return (
    <li className={classes.plan} data-highlighted={plan.highlighted || undefined} data-current={isCurrent || undefined}>
      <Group justify="space-between" gap={6} wrap="wrap" mih={26}>
        <Title order={3} className={classes.planTitle}>
          {plan.name}
        </Title>
        {isCurrent ? (
          <Badge color="green">Current plan</Badge>
        ) : (
          plan.badge && <Badge {...(plan.recommended ? { variant: 'filled' } : { color: 'gray' })}>{plan.badge}</Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed" className={classes.planAbout}>
        {plan.description}
      </Text>
      <p className={classes.price}>
        {amount ? (
          <>
            <span className="figure figure-large">{money(amount)}</span> <span>{INTERVAL_PRICE_SUFFIX[interval]}</span>
          </>
        ) : (
          <span className="figure-large">{plan.prices[interval].text}</span>
        )}
      </p>
      <ul className={classes.features}>
        {plan.displayFeatures.map((feature) => (
          <li key={feature}>
            <IconCheck size={16} aria-hidden />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
      <PlanButton plan={plan} interval={interval} view={view} />
    </li>
  )
}

/** Leads to the page that says what it costs today, with the choice in its address. */
function PlanButton({ plan, interval, view }: PlanCardProps) {
  if (!isSellable(plan.id)) return <ContactSalesButton label="Contact us" full />
  // Two currencies do not mix: an older tier ends before a plan of today begins.
  if (view.planId === 'legacy' && !isWithoutPlan(view)) return null
  const isCurrentPlan = !isWithoutPlan(view) && view.planId === plan.id
  if (isCurrentPlan && view.interval === interval)
    return (
      <Text size="sm" ta="center" fw={550} className={classes.currentPlan}>
        You have this plan
      </Text>
    )
  return (
    <LinkButton
      to="/settings/workspace/subscription/checkout"
      search={{ plan: plan.id, interval }}
      fullWidth
      {...(plan.recommended && isWithoutPlan(view) ? {} : { variant: 'default' })}
    >
      {planButtonLabel(plan, interval, view)}
    </LinkButton>
  )
}

function planButtonLabel(plan: Plan, billingInterval: BillingInterval, view: SubscriptionView): string {
  if (isWithoutPlan(view)) return `Choose ${plan.name}`
  return view.planId === plan.id ? `Pay ${INTERVAL_ADVERBS[billingInterval]}` : `Change to ${plan.name}`
}
