import { Box, Button } from '@mantine/core'
import { IconBell, IconBellFilled } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import { useSession } from '../../lib/session'
import { notifyRefusal } from '../../ui/notify-refusal'
import { followInsight, unfollowInsight } from './care-queries'

/** For oneself: what changes in the insight comes by mail, in the digest. */
export function FollowButton({ insight }: { insight: Insight }) {
  const mayFollow = useSession().workspace?.entitlements.readOnly === null
  const turning = useMutation({
    mutationFn: () => (insight.following ? unfollowInsight(insight) : followInsight(insight)),
    onError: notifyRefusal,
  })
  // What is followed can be let go of at any time.
  if (!mayFollow && !insight.following) return null
  const Bell = insight.following ? IconBellFilled : IconBell
  const words = insight.following ? 'Following' : 'Follow'
  return (
    <Button
      variant="default"
      loading={turning.isPending}
      aria-pressed={insight.following}
      aria-label={words}
      title="Changes come in the digest by mail"
      onClick={() => turning.mutate()}
    >
      <Bell size={16} aria-hidden />
      <Box component="span" ml={10} visibleFrom="xs">
        {words}
      </Box>
    </Button>
  )
}
