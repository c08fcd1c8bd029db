import { Badge, Text } from '@mantine/core'
import { serializeAddOns, INTERVAL_ADVERBS, INTERVAL_PRICE_SUFFIX } from './plan-names'
import classes from './subscription.module.css'
import { amountOf, useMoney } from '../../lib/money'
import { LinkButton } from '../../ui/links'
import { SectionCard } from '../../ui/section-card'
import { ADD_ONS, PREMIUM_SYNC_ADD_ONS } from '../../../src/shared/add-ons'
import type { AddOn, AddOnId } from '../../../src/shared/add-ons'
import { PLANS, SELLABLE_PLAN_IDS } from '../../../src/shared/plans'
import type { BillingInterval } from '../../../src/shared/prices'
import type { SubscriptionView } from '../../../src/shared/subscription'

const RECOMMENDED_PLAN_ID =
  SELLABLE_PLAN_IDS.find((id) => PLANS.some((plan) => plan.id === id && plan.recommended)) ?? 'standard'

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
          : `More of one thing without a larger plan. Prices for paying ${INTERVAL_ADVERBS[interval]}, beside the plan.`
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
        <Text size="sm" c="dimmed">
          {addOn.description}
        </Text>
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
  return { plan, interval: interval ?? ('monthly' as const), ...(text === undefined ? {} : { addOns: text }) }
}
