import { MutedText } from '../../../ui/muted-text'
import { IconButton } from '../../../ui/buttons/icon-button'
import { Badge, Group, Radio, SegmentedControl, Stack, Text, NumberInput, Switch } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { addOnList, INTERVAL_OPTIONS, INTERVAL_PRICE_SUFFIX, planName, planPrice, PLANS_VIEW } from '../plan-prices'
import { compatibleAddOns, hasOlderTier, currentSelection, maxQuantityOf } from './plan-selection'
import type { PlanSelection, PurchasablePlanId } from './plan-selection'
import classes from './checkout.module.css'
import { amountOf, useMoney } from '../../../lib/money'
import { LinkAnchor } from '../../../ui/buttons/links'
import { NeutralBadge } from '../../../ui/neutral-badge'
import { SectionCard } from '../../../ui/section-card'
import { planById, SELLABLE_PLAN_IDS, ADD_ONS, PREMIUM_SYNC_ADD_ONS } from '../../../../src/shared/billing/plans'
import type { AddOn } from '../../../../src/shared/billing/plans'
import type { Price } from '../../../../src/shared/billing/prices'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'

export interface PlanPickerProps {
  choice: PlanSelection
  view: SubscriptionView
  onChoose: (selection: PlanSelection) => void
}

/** "€450 per month" of a price as it is charged. */
function PriceText({ price, choice }: { price: Price | null; choice: PlanSelection }) {
  const money = useMoney()
  const amount = amountOf(price)
  if (!amount) return null
  return (
    <Text span className={classes.price}>
      <span className="figure">{money(amount)}</span>
      <Text span size="xs" c="dimmed">
        {' '}
        {INTERVAL_PRICE_SUFFIX[choice.interval]}
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
        aria-label="Billing interval"
        data={INTERVAL_OPTIONS}
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
      <MutedText>
        {isOlder ? (
          <>
            To choose another plan, cancel the older tier under{' '}
            <LinkAnchor to="/settings/workspace/subscription" underline="always">
              Subscription
            </LinkAnchor>{' '}
            first.
          </>
        ) : (
          <>
            Need more than Professional?{' '}
            <LinkAnchor to="/settings/workspace/subscription" search={{ show: PLANS_VIEW }} underline="always">
              Ask about Enterprise
            </LinkAnchor>
          </>
        )}
      </MutedText>
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
  const name = planName({ planId: id, tier })
  const price = planPrice({ planId: id, tier }, choice.interval)
  const amount = amountOf(price)
  const cost = amount ? `, ${money(amount)} ${INTERVAL_PRICE_SUFFIX[choice.interval]}` : ''
  return (
    <Radio.Card value={id} className={classes.card} aria-label={`${name}${cost}`}>
      <Group wrap="nowrap" gap="sm" align="flex-start">
        <Radio.Indicator mt={2} />
        <div className={classes.cardBody}>
          <div className={classes.cardWords}>
            <Group gap={8}>
              <Text fw={600}>{name}</Text>
              {isCurrent ? (
                <NeutralBadge>Current</NeutralBadge>
              ) : (
                plan?.recommended && plan.badge !== undefined && <Badge size="sm">{plan.badge}</Badge>
              )}
            </Group>
            <MutedText>{plan?.displayFeatures.slice(0, 2).join(' · ') || plan?.description}</MutedText>
          </div>
          <PriceText price={price} choice={choice} />
        </div>
      </Group>
    </Radio.Card>
  )
}

/** How many of each add-on; one that a workspace can hold once is a switch. */
export function AddOnPicker({ choice, onChoose }: Omit<PlanPickerProps, 'view'>) {
  const set = ({ id }: AddOn, count: number) =>
    onChoose({ ...choice, addOns: compatibleAddOns(choice.planId, { ...choice.addOns, [id]: count }) })
  return (
    <SectionCard title="Add-ons">
      <ul className={classes.lines}>
        {ADD_ONS.map((addOn) => (
          <li key={addOn.id} className={classes.line}>
            <div className={classes.lineWords}>
              <Text fw={550}>{addOn.name}</Text>
              <MutedText>{addOn.description}</MutedText>
            </div>
            <div className={classes.lineEnd}>
              <PriceText price={addOn.prices[choice.interval]} choice={choice} />
              {addOn.onePerWorkspace ? (
                // A class on the switch itself would widen its hidden input as well.
                <div className={classes.count}>
                  <Switch
                    aria-label={addOn.name}
                    checked={(choice.addOns[addOn.id] ?? 0) > 0}
                    onChange={(event) => set(addOn, event.currentTarget.checked ? 1 : 0)}
                  />
                </div>
              ) : (
                <QuantityStepper
                  addOn={addOn}
                  value={choice.addOns[addOn.id] ?? 0}
                  onChange={(count) => set(addOn, count)}
                />
              )}
            </div>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}

function QuantityStepper({
  addOn,
  value,
  onChange,
}: {
  addOn: AddOn
  value: number
  onChange: (count: number) => void
}) {
  const maxQuantity = maxQuantityOf(addOn.id)
  const step = (by: number) => onChange(Math.min(maxQuantity, Math.max(0, value + by)))
  return (
    <Group gap={4} wrap="nowrap" className={classes.count}>
      <IconButton
        label={`Remove one ${addOn.name}`}
        icon={IconMinus}
        variant="default"
        size={32}
        disabled={value === 0}
        onClick={() => step(-1)}
      />
      <NumberInput
        aria-label={`${addOn.name} quantity`}
        data-transient
        value={value}
        min={0}
        max={maxQuantity}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        hideControls
        w={52}
        onChange={(count) => onChange(typeof count === 'number' ? Math.trunc(count) : 0)}
        styles={{ input: { textAlign: 'center', paddingInline: 4 } }}
      />
      <IconButton
        label={`Add one ${addOn.name}`}
        icon={IconPlus}
        variant="default"
        size={32}
        disabled={value >= maxQuantity}
        onClick={() => step(1)}
      />
    </Group>
  )
}

const NONE = 'none'

/** Hourly sync beside an older tier: none, or one of the sizes. */
export function PremiumSyncPicker({ choice, onChoose }: Omit<PlanPickerProps, 'view'>) {
  const chosen = addOnList(choice.addOns)[0]?.id ?? NONE
  const pick = (text: string) => {
    const size = PREMIUM_SYNC_ADD_ONS.find(({ id }) => id === text)
    onChoose({ ...choice, addOns: size ? { [size.id]: 1 } : {} })
  }
  return (
    <SectionCard title="Premium sync" description="Hourly sync, billed in euro beside the older tier">
      <Radio.Group label="Premium sync" labelProps={{ className: 'only-reader' }} value={chosen} onChange={pick}>
        <Stack gap={8}>
          <Radio value={NONE} label="None" />
          {PREMIUM_SYNC_ADD_ONS.map(({ id, name, prices }) => (
            <Radio
              key={id}
              value={id}
              label={
                <>
                  {name} <PriceText price={prices[choice.interval]} choice={choice} />
                </>
              }
              classNames={{ body: classes.wide ?? '', labelWrapper: classes.wide ?? '', label: classes.spread ?? '' }}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Text size="xs" c="dimmed" className={classes.note}>
        One per workspace.
      </Text>
    </SectionCard>
  )
}
