import { Box, Button } from '@mantine/core'
import { IconBell, IconBellFilled } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import { useSession } from '../../lib/session'
import { notifyError } from '../../ui/notify-refusal'
import { followInsight, unfollowInsight } from './care-queries'

/** For oneself: what changes in the insight comes by mail, in the digest. */
export function FollowButton({ insight }: { insight: Insight }) {
  const mayFollow = useSession().workspace?.entitlements.readOnly === null
  const toggleFollow = useMutation({
    mutationFn: () => (insight.following ? unfollowInsight(insight) : followInsight(insight)),
    onError: notifyError,
  })
  // What is followed can be let go of at any time.
  if (!mayFollow && !insight.following) return null
  const Bell = insight.following ? IconBellFilled : IconBell
  const label = insight.following ? 'Following' : 'Follow'
  return (
    <Button
      variant="default"
      loading={toggleFollow.isPending}
      aria-pressed={insight.following}
      aria-label={label}
      title="Changes come in the digest by mail"
      onClick={() => toggleFollow.mutate()}
    >
      <Bell size={16} aria-hidden />
      <Box component="span" ml={10} visibleFrom="xs">
        {label}
      </Box>
    </Button>
  )
}
