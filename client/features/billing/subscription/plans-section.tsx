import { MutedText } from '../../../ui/muted-text'
import { Badge, Group, Stack, Text, Title, SegmentedControl } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { ContactSalesButton } from './contact-sales'
import { PlanComparison } from './plan-comparison'
import {
  INTERVAL_OPTIONS,
  isWithoutPlan,
  PRICE_SUFFIX,
  findOlderTier,
  RECOMMENDED_PLAN_ID,
  serializeAddOns,
} from '../plan-prices'
import classes from './subscription.module.css'
import { useFormat } from '../../../lib/format'
import { amountOf, useMoney } from '../../../lib/money'
import { LinkButton } from '../../../ui/buttons/links'
import { SELLABLE_PLAN_IDS, PLANS, ADD_ONS, PREMIUM_SYNC_ADD_ONS } from '../../../../src/shared/billing/plans'
import type { Plan, PlanId, SellablePlanId, AddOn, AddOnId } from '../../../../src/shared/billing/plans'
import { BILLING_INTERVALS, type BillingInterval } from '../../../../src/shared/billing/prices'
import type { Formatter } from '../../../../src/shared/figures/formatter'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'
import { SectionCard } from '../../../ui/section-card'

const isSellable = (id: PlanId): id is SellablePlanId => SELLABLE_PLAN_IDS.some((one) => one === id)

/** The catalogue writes counts as in English: here they are written as in the table below, in the workspace's notation. */
const localiseCounts = (feature: string, format: Formatter): string =>
  feature.replaceAll(/\d{1,3}(?:,\d{3})+/g, (count) => format.count(Number(count.replaceAll(',', ''))))

interface PlanCardProps {
  plan: Plan
  interval: BillingInterval
  view: SubscriptionView
}

/** One plan: price, what it has, and the way to it. */
function PlanCard({ plan, interval, view }: PlanCardProps) {
  const money = useMoney()
  const format = useFormat()
  const isCurrent = !isWithoutPlan(view) && view.planId === plan.id
  const amount = amountOf(plan.prices[interval])
  return (
    <li className={classes.plan} data-highlighted={plan.highlighted || undefined} data-current={isCurrent || undefined}>
      <Group justify="space-between" gap={6} wrap="wrap" mih={26}>
        <Title order={2} className={classes.planTitle}>
          {plan.name}
        </Title>
        {isCurrent ? (
          <Badge color="green">Current</Badge>
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
            <span className="figure figure-large">{money(amount)}</span> <span>{PRICE_SUFFIX[interval]}</span>
          </>
        ) : (
          <span className="figure-large">{plan.prices[interval].text}</span>
        )}
      </p>
      <ul className={classes.features}>
        {plan.displayFeatures.map((feature) => (
          <li key={feature}>
            <IconCheck size={16} aria-hidden />
            <span>{localiseCounts(feature, format)}</span>
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
        Current plan
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

function planButtonLabel(plan: Plan, interval: BillingInterval, view: SubscriptionView): string {
  if (isWithoutPlan(view)) return `Choose ${plan.name}`
  return view.planId === plan.id ? `Switch to ${interval}` : `Change to ${plan.name}`
}

/** What happens on the day of a choice; null where the button says all of it. */
function plansDescription({ planId, state }: SubscriptionView): string | null {
  if (state === 'trialing') return 'Starts now; remaining trial days stay free.'
  if (planId === null || state === 'canceled') return null
  return planId === 'legacy'
    ? 'Cancel the older tier first; once it ends, you can choose any plan.'
    : 'Upgrades start now. Downgrades start when the period ends.'
}

/** The plans on sale side by side, what they include, and what goes with them: for a month or for a year. */
export function PlansView({ view }: { view: SubscriptionView }) {
  const [interval, setInterval] = useState<BillingInterval>(view.interval ?? 'monthly')
  const description = plansDescription(view)
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed">
          {description}
        </Text>
        <SegmentedControl
          data={INTERVAL_OPTIONS}
          value={interval}
          onChange={(value) => setInterval(value === 'yearly' ? 'yearly' : 'monthly')}
          aria-label="Billing interval"
        />
      </Group>
      <ul className={classes.plans} aria-label="Plans">
        {PLANS.filter(({ hidden }) => !hidden).map((plan) => (
          <PlanCard key={plan.id} plan={plan} interval={interval} view={view} />
        ))}
      </ul>
      <AddOnsCard view={view} interval={interval} />
      <PlanComparison />
    </Stack>
  )
}

/** The agreement of an older tier: what it is named by, and what it costs for a month and for a year. */
export function OlderTierCard({ view }: { view: SubscriptionView }) {
  const money = useMoney()
  const tier = findOlderTier(view.tier)
  if (!tier) return null
  return (
    <SectionCard title="Older tier" description="No longer sold; yours as long as you keep it.">
      <ul className={classes.rows}>
        {BILLING_INTERVALS.map((interval) => {
          const amount = amountOf(tier.prices[interval])
          return (
            <li key={interval} className={classes.row}>
              <div className={classes.rowWords}>
                <span className={classes.rowName}>Billed {interval}</span>
                <Text size="sm" c="dimmed" className="figure">
                  {amount && `${money(amount)} ${PRICE_SUFFIX[interval]}`}
                </Text>
              </div>
              {view.interval === interval ? (
                <Text size="sm">Current</Text>
              ) : (
                <LinkButton
                  to="/settings/workspace/subscription/checkout"
                  search={{ plan: 'legacy', interval }}
                  variant="default"
                >
                  Switch to {interval}
                </LinkButton>
              )}
            </li>
          )
        })}
      </ul>
    </SectionCard>
  )
}

/** What can be added to the plan, what it gives and what it costs. Older tiers have a list of their own. */
function AddOnsCard({ view, interval }: { view: SubscriptionView; interval: BillingInterval }) {
  const older = view.planId === 'legacy'
  const offered = older ? PREMIUM_SYNC_ADD_ONS : ADD_ONS
  return (
    <SectionCard title={older ? 'Premium sync' : 'Add-ons'} {...(older ? { description: 'One per workspace.' } : {})}>
      <ul className={classes.rows}>
        {offered.map((addOn) => (
          <AddOnRow key={addOn.id} addOn={addOn} interval={interval} view={view} />
        ))}
      </ul>
    </SectionCard>
  )
}

interface AddOnRowProps {
  addOn: AddOn
  interval: BillingInterval
  view: SubscriptionView
}

function AddOnRow({ addOn, interval, view }: AddOnRowProps) {
  const money = useMoney()
  const held = view.addOns[addOn.id] ?? 0
  const amount = amountOf(addOn.prices[interval])
  return (
    <li className={classes.row}>
      <div className={classes.rowWords}>
        <span className={classes.rowName}>
          {addOn.name}
          {held > 0 && <Badge color="green">{addOn.onePerWorkspace ? 'Included' : `You have ${held}`}</Badge>}
        </span>
        <MutedText>{addOn.description}</MutedText>
      </div>
      <Text size="sm" className="figure">
        {amount && `${money(amount)} ${PRICE_SUFFIX[interval]}`}
      </Text>
      <LinkButton
        to="/settings/workspace/subscription/checkout"
        search={checkoutSearchFor(addOn.id, view, interval)}
        variant="default"
        aria-label={`${held > 0 ? 'Change' : 'Add'} ${addOn.name}`}
      >
        {held > 0 ? 'Change' : 'Add'}
      </LinkButton>
    </li>
  )
}

/** The choice to begin with: what is held, and one of this. A workspace without a plan begins with the recommended one. */
function checkoutSearchFor(id: AddOnId, { planId, addOns }: SubscriptionView, interval: BillingInterval) {
  const plan =
    planId === 'legacy' ? ('legacy' as const) : (SELLABLE_PLAN_IDS.find((one) => one === planId) ?? RECOMMENDED_PLAN_ID)
  // One Premium sync takes the place of another.
  const chosen = plan === 'legacy' ? { [id]: 1 } : { ...addOns, [id]: addOns[id] ?? 1 }
  const text = serializeAddOns(chosen)
  return { plan, interval, ...(text === '' ? {} : { addOns: text }) }
}
