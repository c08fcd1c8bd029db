import { Group, Stack, Text, Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Illustration } from './illustration'
import { LinkButton } from './links'
import { SUBSCRIPTION_PAGE } from '../lib/upgrade'
import type { Need, OfferTarget } from '../lib/upgrade'
import { useSession } from '../lib/session'
import { useUpgrade } from '../lib/use-upgrade'
import type { Upgrade } from '../lib/use-upgrade'

const NOTHING_SOLD = 'Whoever runs this installation decides how much there is. Ask there for more.'

interface BuyButtonProps {
  action: string
  target: OfferTarget
  /** Beside other things rather than the one action of a screen. */
  quiet?: boolean
}

/** Leads to where it is bought; nothing on that page itself. */
function BuyButton({ action, target, quiet = false }: BuyButtonProps) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  if (path.startsWith(SUBSCRIPTION_PAGE)) return null
  const looks = quiet ? ({ size: 'compact-md', variant: 'default' } as const) : {}
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

/** "Extra data source, 20 € per month: 4 data sources instead of 3." */
function OfferWords({ upgrade: { offer, price } }: { upgrade: Upgrade }) {
  return (
    <>
      <strong>{offer.title}</strong>
      {price === null ? '' : `, ${price}`}: {offer.gives.charAt(0).toLowerCase()}
      {offer.gives.slice(1)}
    </>
  )
}

const whoWords = ({ who, offer }: Upgrade): string =>
  `${who} can ${offer.action.charAt(0).toLowerCase()}${offer.action.slice(1)}.`

/** What helps, what it costs and the way to it, below what is said already: for notices, forms and cards. */
export function UpgradeLine({ need }: { need: Need }) {
  const upgrade = useUpgrade(need)
  // Outside of a workspace, a plan is somebody else's matter.
  const isMember = useSession().workspace !== null
  if (!upgrade)
    return !isMember ? null : (
      <Text size="sm" mt={4}>
        {NOTHING_SOLD}
      </Text>
    )
  return (
    <Group gap="xs" justify="space-between" mt={6}>
      <Text size="sm" style={{ flex: '1 1 16rem' }}>
        <OfferWords upgrade={upgrade} />
        {!upgrade.mayBuy && ` ${whoWords(upgrade)}`}
      </Text>
      {upgrade.mayBuy && <BuyButton {...upgrade.offer} quiet />}
    </Group>
  )
}

export interface UpgradePromptProps {
  need: Need
  title: string
  /** What is locked and what still works. */
  sentence: string
  /** A way that costs nothing: making room, going back. */
  beside?: ReactNode
}

/** In place of what is locked: what it is, what opens it, what that costs and the one action that leads there. */
export function UpgradePrompt({ need, title, sentence, beside }: UpgradePromptProps) {
  const upgrade = useUpgrade(need)
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
        {upgrade ? <OfferWords upgrade={upgrade} /> : NOTHING_SOLD}
        {upgrade && !upgrade.mayBuy && ` ${whoWords(upgrade)}`}
      </Text>
      <Group gap="sm" justify="center" mt="sm">
        {beside}
        {upgrade?.mayBuy && <BuyButton {...upgrade.offer} />}
      </Group>
    </Stack>
  )
}
