import { MoreMenuEntry } from '../../../ui/buttons/more-menu'
import { Box, Button } from '@mantine/core'
import {
  IconBell,
  IconBellFilled,
  IconCopy,
  IconFolder,
  IconHistory,
  IconRosetteDiscountCheck,
  IconRosetteDiscountCheckOff,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import type { Insight } from '../../../../src/shared/insights'
import { useSession } from '../../../lib/session'
import { notifyError } from '../../../ui/notify-error'
import { followInsight, unfollowInsight, duplicateInsight, unverifyInsight, verifyInsight } from './queries'
import { useIsViewingAs, useMayWrite } from '../../../lib/gate'

/** For oneself: what changes in the insight comes by mail, in the digest. */
export function FollowButton({ insight }: { insight: Insight }) {
  const mayFollow = useSession().workspace?.entitlements.readOnly === null
  const isViewingAs = useIsViewingAs()
  const toggleFollow = useMutation({
    mutationFn: () => (insight.following ? unfollowInsight(insight) : followInsight(insight)),
    onError: notifyError,
  })
  // What is followed can be let go of at any time.
  if (isViewingAs || (!mayFollow && !insight.following)) return null
  const Bell = insight.following ? IconBellFilled : IconBell
  const label = insight.following ? 'Following' : 'Follow'
  return (
    <Button
      variant="default"
      loading={toggleFollow.isPending}
      aria-pressed={insight.following}
      aria-label={label}
      title="Changes are in your digest email"
      onClick={() => toggleFollow.mutate()}
    >
      <Bell size={16} aria-hidden />
      <Box component="span" ml={10} visibleFrom="xs">
        {label}
      </Box>
    </Button>
  )
}

interface CurationMenuItemsProps {
  insight: Insight
  onHistory: () => void
  onSettings: () => void
}

export function CurationMenuItems({ insight, onHistory, onSettings }: CurationMenuItemsProps) {
  const [mayEdit, mayVerify] = [useMayWrite('edit:insight'), useMayWrite('verify:insight')]
  const mayCreate = useMayWrite('create:insight')
  const duplicate = useDuplicateInsight(insight)
  return (
    <>
      <MoreMenuEntry label="History" icon={IconHistory} onClick={onHistory} />
      {mayEdit && <MoreMenuEntry label="Category and findings" icon={IconFolder} onClick={onSettings} />}
      {mayCreate && <MoreMenuEntry label="Duplicate" icon={IconCopy} onClick={() => void duplicate()} />}
      {mayVerify && <VerifyItem insight={insight} />}
    </>
  )
}

function VerifyItem({ insight }: { insight: Insight }) {
  const toggleVerified = async (): Promise<void> => {
    try {
      if (insight.verified) await unverifyInsight(insight)
      else {
        await verifyInsight(insight)
        notifications.show({ message: 'Insight verified' })
      }
    } catch (error) {
      notifyError(error)
    }
  }
  return (
    <MoreMenuEntry
      label={insight.verified ? 'Remove verification' : 'Verify figures'}
      icon={insight.verified ? IconRosetteDiscountCheckOff : IconRosetteDiscountCheck}
      onClick={() => void toggleVerified()}
    />
  )
}

function useDuplicateInsight(insight: Insight): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    try {
      const copy = await duplicateInsight(insight)
      notifications.show({ message: `“${copy.name}” created` })
      await navigate({ to: '/insights/$id', params: { id: copy.id } })
    } catch (error) {
      notifyError(error)
    }
  }
}
