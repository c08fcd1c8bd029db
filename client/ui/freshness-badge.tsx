import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from '@tabler/icons-react'
import { Group, Text, Tooltip } from '@mantine/core'

export type Freshness = 'fresh' | 'stale' | 'failed' | 'working'

const FRESHNESS_ICONS = {
  fresh: { icon: IconCircleCheck, colour: 'var(--good)' },
  stale: { icon: IconAlertTriangle, colour: 'var(--warn)' },
  failed: { icon: IconCircleX, colour: 'var(--bad)' },
  working: { icon: IconRefresh, colour: 'var(--accent)' },
} as const satisfies Record<Freshness, { icon: typeof IconRefresh; colour: string }>

interface FreshnessBadgeProps {
  state: Freshness
  words: string
  detail?: string
  /** Long words go on in the next line instead of being cut. */
  wrap?: boolean
}

/** How current the data is: colour, sign and words together. */
export function FreshnessBadge({ state, words, detail, wrap: whole = false }: FreshnessBadgeProps) {
  const { icon: Icon, colour } = FRESHNESS_ICONS[state]
  const badge = (
    <Group gap={6} wrap="nowrap" style={{ minWidth: 0 }} tabIndex={detail === undefined ? undefined : 0}>
      <Icon size={16} color={colour} aria-hidden style={{ flex: 'none' }} />
      <Text size="xs" truncate={!whole}>
        {words}
      </Text>
    </Group>
  )
  if (detail === undefined) return badge
  return (
    <Tooltip label={detail} multiline maw={280}>
      {badge}
    </Tooltip>
  )
}
