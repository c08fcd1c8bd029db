import { Group, Stack, Text, Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Illustration } from './illustration'
import { LinkButton } from './buttons/links'
import { SUBSCRIPTION_PAGE, useUpgradeOffer } from '../lib/plan/upgrade-offer'
import type { PlanNeed, OfferTarget, UpgradeOffer } from '../lib/plan/upgrade-offer'
import { useSession } from '../lib/session'

const BILLING_OFF_TEXT = 'Billing is off. Ask your operator to raise the limit.'

interface BuyButtonProps {
  action: string
  target: OfferTarget
  /** Beside other things rather than the one action of a screen. */
  compact?: boolean
}

/** Leads to where it is bought; nothing on that page itself. */
function BuyButton({ action, target, compact = false }: BuyButtonProps) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  if (path.startsWith(SUBSCRIPTION_PAGE)) return null
  const looks = compact ? ({ size: 'compact-md', variant: 'default' } as const) : {}
  if (target.to === SUBSCRIPTION_PAGE)
    return (
      <LinkButton {...looks} to={target.to}>
        {action}
      </LinkButton>
    )
  return (
    <LinkButton {...looks} to={target.to} search={target.search}>
      {action}
    </LinkButton>
  )
}

/** "Extra data source, 20,00 € per month, excl. VAT: 4 data sources instead of 3." */
function OfferText({ upgrade: { offer, price } }: { upgrade: UpgradeOffer }) {
  return (
    <>
      <strong>{offer.title}</strong>
      {price === null ? '' : `, ${price}`}: {offer.gives.charAt(0).toLowerCase()}
      {offer.gives.slice(1)}
    </>
  )
}

const describeBuyers = ({ who, offer }: UpgradeOffer): string =>
  `${who} can ${offer.action.charAt(0).toLowerCase()}${offer.action.slice(1)}.`

/** What helps, what it costs and the way to it, below what is said already: for notices, forms and cards. */
export function UpgradeLine({ need }: { need: PlanNeed }) {
  const upgrade = useUpgradeOffer(need)
  // Outside of a workspace, a plan is somebody else's matter.
  const isMember = useSession().workspace !== null
  if (!upgrade)
    return !isMember ? null : (
      <Text size="sm" mt={4}>
        {BILLING_OFF_TEXT}
      </Text>
    )
  return (
    <Group gap="xs" justify="space-between" mt={6}>
      <Text size="sm" style={{ flex: '1 1 16rem' }}>
        <OfferText upgrade={upgrade} />
        {!upgrade.mayBuy && ` ${describeBuyers(upgrade)}`}
      </Text>
      {upgrade.mayBuy && <BuyButton {...upgrade.offer} compact />}
    </Group>
  )
}

export interface UpgradePromptProps {
  need: PlanNeed
  title: string
  /** What is locked and what still works. */
  sentence: string
  /** A way that costs nothing: making room, going back. */
  secondaryAction?: ReactNode
}

/** In place of what is locked: what it is, what opens it, what that costs and the one action that leads there. */
export function UpgradePrompt({ need, title, sentence, secondaryAction }: UpgradePromptProps) {
  const upgrade = useUpgradeOffer(need)
  return (
    <Stack align="center" gap="xs" py={48} px="md" className="surface">
      <Illustration name="locked" />
      <Title order={2} mt="sm" ta="center">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw="48ch" style={{ textWrap: 'balance' }}>
        {sentence}
      </Text>
      <Text ta="center" maw="48ch" style={{ textWrap: 'balance' }}>
        {upgrade ? <OfferText upgrade={upgrade} /> : BILLING_OFF_TEXT}
        {upgrade && !upgrade.mayBuy && ` ${describeBuyers(upgrade)}`}
      </Text>
      <Group gap="sm" justify="center" mt="sm">
        {secondaryAction}
        {upgrade?.mayBuy && <BuyButton {...upgrade.offer} />}
      </Group>
    </Stack>
  )
}
