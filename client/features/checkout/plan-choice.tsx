import { Badge, Group, Radio, SegmentedControl, Stack, Text } from '@mantine/core'
import { NOUN, planName } from './checkout-words'
import { fitting, hasOlderTier, heldChoice } from './choice'
import type { Choice, ChosenPlan } from './choice'
import classes from './checkout.module.css'
import { amountOf, useMoney } from '../../lib/money'
import { LinkAnchor } from '../../ui/links'
import { QuietBadge } from '../../ui/quiet-badge'
import { SectionCard } from '../../ui/section-card'
import { OLDER_TIERS } from '../../../src/shared/add-ons'
import { planById, SELLABLE_PLAN_IDS } from '../../../src/shared/plans'
import { INTERVALS } from '../../../src/shared/prices'
import type { Price } from '../../../src/shared/prices'
import type { SubscriptionView } from '../../../src/shared/subscription'

export interface ChoiceProps {
  choice: Choice
  view: SubscriptionView
  onChoose: (choice: Choice) => void
}

const INTERVAL_NAMES = { monthly: 'Monthly', yearly: 'Yearly' } as const

/** "€450 per month" of a price as it is charged. */
export function PriceText({ price, choice }: { price: Price | undefined; choice: Choice }) {
  const money = useMoney()
  const amount = price && amountOf(price)
  if (!amount) return null
  return (
    <Text span className={classes.price}>
      <span className="figure">{money(amount)}</span>
      <Text span size="xs" c="dimmed">
        {' '}
        per {NOUN[choice.interval]}
      </Text>
    </Text>
  )
}

/** Which plan, paid how often. An older tier is offered to those who have one. */
export function PlanChoice({ choice, view, onChoose }: ChoiceProps) {
  const isOlder = hasOlderTier(view)
  const plans: readonly ChosenPlan[] = isOlder ? ['legacy'] : SELLABLE_PLAN_IDS
  const held = heldChoice(view)
  const pick = (text: string) => {
    const planId = plans.find((id) => id === text)
    if (planId) onChoose({ ...choice, planId, addOns: fitting(planId, choice.addOns) })
  }
  return (
    <SectionCard title="Plan">
      <SegmentedControl
        aria-label="Paid"
        data={INTERVALS.map((value) => ({ value, label: INTERVAL_NAMES[value] }))}
        value={choice.interval}
        onChange={(interval) => onChoose({ ...choice, interval })}
        style={{ alignSelf: 'flex-start' }}
      />
      <Radio.Group label="Plan" labelProps={{ className: 'only-reader' }} value={choice.planId} onChange={pick}>
        <Stack gap={8}>
          {plans.map((id) => (
            <PlanCard key={id} id={id} choice={choice} tier={view.tier} isHeld={held?.planId === id} />
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

interface PlanCardProps {
  id: ChosenPlan
  choice: Choice
  tier: number | null
  isHeld: boolean
}

function PlanCard({ id, choice, tier, isHeld }: PlanCardProps) {
  const money = useMoney()
  const plan = planById(id)
  const older = OLDER_TIERS.find(({ sources }) => sources === tier)
  const price = (id === 'legacy' ? older?.prices : plan?.prices)?.[choice.interval]
  const amount = price && amountOf(price)
  const cost = amount ? `, ${money(amount)} per ${NOUN[choice.interval]}` : ''
  return (
    <Radio.Card value={id} className={classes.card} aria-label={`${planName(id, tier)}${cost}`}>
      <Group wrap="nowrap" gap="sm" align="flex-start">
        <Radio.Indicator mt={2} />
        <div className={classes.cardBody}>
          <div className={classes.cardWords}>
            <Group gap={8}>
              <Text fw={600}>{planName(id, tier)}</Text>
              {isHeld ? (
                <QuietBadge>Your plan</QuietBadge>
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
