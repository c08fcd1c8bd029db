import { MutedText } from '../../../ui/muted-text'
import { Badge, Group, Text, Title, SegmentedControl } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { ContactSalesButton } from './contact-sales'
import {
  INTERVAL_OPTIONS,
  INTERVAL_PRICE_SUFFIX,
  isWithoutPlan,
  PLANS_ANCHOR,
  findOlderTier,
  RECOMMENDED_PLAN_ID,
  serializeAddOns,
} from '../plan-prices'
import classes from './subscription.module.css'
import { amountOf, useMoney } from '../../../lib/money'
import { LinkButton } from '../../../ui/buttons/links'
import { SELLABLE_PLAN_IDS, PLANS, ADD_ONS, PREMIUM_SYNC_ADD_ONS } from '../../../../src/shared/billing/plans'
import type { Plan, PlanId, SellablePlanId, AddOn, AddOnId } from '../../../../src/shared/billing/plans'
import { BILLING_INTERVALS, type BillingInterval } from '../../../../src/shared/billing/prices'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'
import { SectionCard } from '../../../ui/section-card'

const isSellable = (id: PlanId): id is SellablePlanId => SELLABLE_PLAN_IDS.some((one) => one === id)

interface PlanCardProps {
  plan: Plan
  interval: BillingInterval
  view: SubscriptionView
}

/** One plan: price, what it has, and the way to it. */
function PlanCard({ plan, interval, view }: PlanCardProps) {
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

function planButtonLabel(plan: Plan, interval: BillingInterval, view: SubscriptionView): string {
  if (isWithoutPlan(view)) return `Choose ${plan.name}`
  return view.planId === plan.id ? `Pay ${interval}` : `Change to ${plan.name}`
}

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

/** The agreement of an older tier: what it is named by, and what it costs for a month and for a year. */
export function OlderTierCard({ view }: { view: SubscriptionView }) {
  const money = useMoney()
  const tier = findOlderTier(view.tier)
  if (!tier) return null
  return (
    <SectionCard
      title="Your older tier"
      description="It is not sold any more, and yours as long as you keep it: it renews at its own price in kronor."
    >
      <ul className={classes.rows}>
        {BILLING_INTERVALS.map((interval) => {
          const amount = amountOf(tier.prices[interval])
          return (
            <li key={interval} className={classes.row}>
              <div className={classes.rowWords}>
                <span className={classes.rowName}>Paid {interval}</span>
                <Text size="sm" c="dimmed" className="figure">
                  {amount && `${money(amount)} ${INTERVAL_PRICE_SUFFIX[interval]}`}
                </Text>
              </div>
              {view.interval === interval ? (
                <Text size="sm">How you pay now</Text>
              ) : (
                <LinkButton
                  to="/settings/workspace/subscription/checkout"
                  search={{ plan: 'legacy', interval }}
                  variant="default"
                >
                  Pay {interval}
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
export function AddOnsCard({ view }: { view: SubscriptionView }) {
  const older = view.planId === 'legacy'
  const interval = view.interval ?? 'monthly'
  return (
    <SectionCard
      title={older ? 'Premium sync' : 'Add-ons'}
      description={
        older
          ? 'Hourly sync beside an older tier. Take the one that covers your sources; a workspace has one of them.'
          : `More of one thing without a larger plan. Prices for paying ${interval}, beside the plan.`
      }
    >
      <ul className={classes.rows}>
        {(older ? PREMIUM_SYNC_ADD_ONS : ADD_ONS).map((addOn) => (
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
          {held > 0 && <Badge color="green">{addOn.onePerWorkspace ? 'You have it' : `You have ${held}`}</Badge>}
        </span>
        <MutedText>{addOn.description}</MutedText>
      </div>
      <Text size="sm" className="figure">
        {amount && `${money(amount)} ${INTERVAL_PRICE_SUFFIX[interval]}${addOn.onePerWorkspace ? '' : ' each'}`}
      </Text>
      <LinkButton
        to="/settings/workspace/subscription/checkout"
        search={checkoutSearchFor(addOn.id, view)}
        variant="default"
        aria-label={`${held > 0 ? 'Change' : 'Add'} ${addOn.name}`}
      >
        {held > 0 ? 'Change' : 'Add'}
      </LinkButton>
    </li>
  )
}

/** The choice to begin with: what is held, and one of this. A workspace without a plan begins with the recommended one. */
function checkoutSearchFor(id: AddOnId, { planId, interval, addOns }: SubscriptionView) {
  const plan =
    planId === 'legacy' ? ('legacy' as const) : (SELLABLE_PLAN_IDS.find((one) => one === planId) ?? RECOMMENDED_PLAN_ID)
  // One Premium sync takes the place of another.
  const chosen = plan === 'legacy' ? { [id]: 1 } : { ...addOns, [id]: addOns[id] ?? 1 }
  const text = serializeAddOns(chosen)
  return { plan, interval: interval ?? ('monthly' as const), ...(text === '' ? {} : { addOns: text }) }
}
