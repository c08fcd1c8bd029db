import { Alert, Skeleton, Text } from '@mantine/core'
import { IconArmchair } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import classes from './members.module.css'
import { seatsQuery } from './queries'
import { seatsFullText, describeSeats } from './seat-words'
import { useSession } from '../../lib/session'
import { UpgradeLine } from '../../ui/upgrade-prompt'

/** How many seats are taken; with none left, what to do about it, as far as anything can be done now. */
export function SeatsLine() {
  const { data } = useQuery(seatsQuery())
  const writable = useSession().workspace?.entitlements.readOnly === null
  // Without an answer the list still works: the line is left out.
  if (!data) return <Skeleton h={14} w={220} aria-hidden="true" />
  const fullText = seatsFullText(data)
  const words = describeSeats(data)
  if (!fullText || !writable)
    return (
      <div className={classes.seats}>
        <Text size="sm" fw={550}>
          {words}
        </Text>
        <Text size="xs" c="dimmed">
          Invitations that are open hold a seat.
        </Text>
      </div>
    )
  return (
    <Alert color="gray" icon={<IconArmchair aria-hidden />} title={`${fullText.title}: ${words}`}>
      <Text size="sm">{fullText.sentence}</Text>
      <UpgradeLine need={{ kind: 'limit', limit: fullText.limit, count: data[fullText.limit].used + 1 }} />
    </Alert>
  )
}
