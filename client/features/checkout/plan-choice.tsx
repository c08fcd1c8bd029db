import { Badge, Group, Radio, SegmentedControl, Stack, Text } from '@mantine/core'
import { INTERVAL_NOUNS, planName } from './checkout-words'
import { compatibleAddOns, hasOlderTier, currentSelection } from './choice'
import type { PlanSelection, PurchasablePlanId } from './choice'
import classes from './checkout.module.css'
import { amountOf, useMoney } from '../../lib/money'
import { LinkAnchor } from '../../ui/links'
import { NeutralBadge } from '../../ui/quiet-badge'
import { SectionCard } from '../../ui/section-card'
import { LEGACY_TIERS } from '../../../src/shared/add-ons'
import { planById, SELLABLE_PLAN_IDS } from '../../../src/shared/plans'
import { BILLING_INTERVALS } from '../../../src/shared/prices'
import type { Price } from '../../../src/shared/prices'
import type { SubscriptionView } from '../../../src/shared/subscription'

export interface PlanPickerProps {
  choice: PlanSelection
  view: SubscriptionView
  onChoose: (planSelection: PlanSelection) => void
}

const INTERVAL_LABELS = { monthly: 'Monthly', yearly: 'Yearly' } as const

/** "€450 per month" of a price as it is charged. */
export function PriceText({ price, choice }: { price: Price | undefined; choice: PlanSelection }) {
  const money = useMoney()
  const amount = price && amountOf(price)
  if (!amount) return null
  return (
    <Text span className={classes.price}>
      <span className="figure">{money(amount)}</span>
      <Text span size="xs" c="dimmed">
        {' '}
        per {INTERVAL_NOUNS[choice.interval]}
      </Text>
    </Text>
  )
}

/** Which plan, paid how often. An older tier is offered to those who have one. */
export function PlanPicker({ choice, view, onChoose }: PlanPickerProps) {
  const isOlder = hasOlderTier(view)
  const plans: readonly PurchasablePlanId[] = isOlder ? ['legacy'] : SELLABLE_PLAN_IDS
  const current = currentSelection(view)
  const pick = (text: string) => {
    const planId = plans.find((id) => id === text)
    if (planId) onChoose({ ...choice, planId, addOns: compatibleAddOns(planId, choice.addOns) })
  }
  return (
    <SectionCard title="Plan">
      <SegmentedControl
        aria-label="Paid"
        data={BILLING_INTERVALS.map((value) => ({ value, label: INTERVAL_LABELS[value] }))}
        value={choice.interval}
        onChange={(interval) => onChoose({ ...choice, interval })}
        style={{ alignSelf: 'flex-start' }}
      />
      <Radio.Group label="Plan" labelProps={{ className: 'only-reader' }} value={choice.planId} onChange={pick}>
        <Stack gap={8}>
          {plans.map((id) => (
            <PlanRadioCard key={id} id={id} choice={choice} tier={view.tier} isCurrent={current?.planId === id} />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="sm" c="dimmed">
        {isOlder ? (
          <>
            The older tier is paid in kronor, today’s plans in euro. To move to one of them, cancel the tier on the{' '}
            <LinkAnchor to="/settings/workspace/subscription" underline="always">
              page of the subscription
            </LinkAnchor>
            : once it has ended, every plan can be bought.
          </>
        ) : (
          <>
            Need more than Professional?{' '}
            <LinkAnchor to="/settings/workspace/subscription" underline="always">
              Ask about Enterprise
            </LinkAnchor>
            : limits and prices made for you.
          </>
        )}
      </Text>
    </SectionCard>
  )
}

interface PlanRadioCardProps {
  id: PurchasablePlanId
  choice: PlanSelection
  tier: number | null
  isCurrent: boolean
}

function PlanRadioCard({ id, choice, tier, isCurrent }: PlanRadioCardProps) {
  const money = useMoney()
  const plan = planById(id)
  const older = LEGACY_TIERS.find(({ sources }) => sources === tier)
  const price = (id === 'legacy' ? older?.prices : plan?.prices)?.[choice.interval]
  const amount = price && amountOf(price)
  const cost = amount ? `, ${money(amount)} per ${INTERVAL_NOUNS[choice.interval]}` : ''
  return (
    <Radio.Card value={id} className={classes.card} aria-label={`${planName(id, tier)}${cost}`}>
      <Group wrap="nowrap" gap="sm" align="flex-start">
        <Radio.Indicator mt={2} />
        <div className={classes.cardBody}>
          <div className={classes.cardWords}>
            <Group gap={8}>
              <Text fw={600}>{planName(id, tier)}</Text>
              {isCurrent ? (
                <NeutralBadge>Your plan</NeutralBadge>
              ) : (
                plan?.recommended && plan.badge !== undefined && <Badge size="sm">{plan.badge}</Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed">
              {plan?.displayFeatures.slice(0, 2).join(' · ') || plan?.description}
            </Text>
          </div>
          <PriceText price={price} choice={choice} />
        </div>
      </Group>
    </Radio.Card>
  )
}
