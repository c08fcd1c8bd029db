import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconCircleX, IconRefresh } from '@tabler/icons-react'
import type { StatusTone } from './load-status'

const STATUS_ICONS = {
  good: { icon: IconCircleCheck, colour: 'var(--good)' },
  warn: { icon: IconAlertTriangle, colour: 'var(--warn)' },
  bad: { icon: IconCircleX, colour: 'var(--bad)' },
  working: { icon: IconRefresh, colour: 'var(--accent)' },
  quiet: { icon: IconCircleDashed, colour: 'var(--text-muted)' },
} as const satisfies Record<StatusTone, { icon: typeof IconRefresh; colour: string }>

/** A state in words, with its sign and colour. */
export function StatusBadge({ tone, words }: { tone: StatusTone; words: string }) {
  const { icon: Icon, colour } = STATUS_ICONS[tone]
  return (
    <Group component="span" gap={6} wrap="nowrap" display="inline-flex" style={{ verticalAlign: 'middle' }}>
      <Icon size={16} color={colour} aria-hidden style={{ flex: 'none' }} />
      <Text span size="sm" style={{ whiteSpace: 'nowrap' }}>
        {words}
      </Text>
    </Group>
  )
}
