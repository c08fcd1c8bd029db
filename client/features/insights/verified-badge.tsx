import { Badge, Tooltip } from '@mantine/core'
import { IconRosetteDiscountCheck } from '@tabler/icons-react'
import type { Verification } from '../../../src/shared/insight-care'
import { useFormat } from '../../lib/format'

/** Somebody vouches for the figures. On a page with who and when; on a card with the word alone. */
export function VerifiedBadge({ verified, short = false }: { verified: Verification; short?: boolean }) {
  const format = useFormat()
  const words = `by ${verified.byName} on ${format.day(verified.at)}`
  const badge = (
    <Badge
      size="sm"
      variant="light"
      color="green"
      tt="none"
      fw={600}
      leftSection={<IconRosetteDiscountCheck size={14} aria-hidden />}
      style={{ flex: 'none', maxWidth: '100%' }}
    >
      {short ? 'Verified' : `Verified ${words}`}
    </Badge>
  )
  return short ? <Tooltip label={`Verified ${words}`}>{badge}</Tooltip> : badge
}
