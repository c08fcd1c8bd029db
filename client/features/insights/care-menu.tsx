import { Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import {
  IconCopy,
  IconFolder,
  IconHistory,
  IconRosetteDiscountCheck,
  IconRosetteDiscountCheckOff,
} from '@tabler/icons-react'
import type { Insight } from '../../../src/shared/insights'
import { useMayWrite } from '../../lib/gate'
import { notifyError } from '../../ui/notify-refusal'
import { duplicateInsight, unverifyInsight, verifyInsight } from './care-queries'

interface CurationMenuItemsProps {
  insight: Insight
  onHistory: () => void
  onSettings: () => void
}

/** Lines of an insight's menu: what can be done with it beside changing it. */
export function CurationMenuItems({ insight, onHistory, onSettings }: CurationMenuItemsProps) {
  const [mayEdit, mayVerify] = [useMayWrite('edit:insight'), useMayWrite('verify:insight')]
  const mayCreate = useMayWrite('create:insight')
  const duplicate = useDuplicateInsight(insight)
  return (
    <>
      <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={onHistory}>
        History
      </Menu.Item>
      {mayEdit && (
        <Menu.Item leftSection={<IconFolder size={16} aria-hidden />} onClick={onSettings}>
          Category and findings
        </Menu.Item>
      )}
      {mayCreate && (
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void duplicate()}>
          Duplicate
        </Menu.Item>
      )}
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
        notifications.show({ message: 'Verified. Whoever changes the question is told that this ends.' })
      }
    } catch (error) {
      notifyError(error)
    }
  }
  const Shown = insight.verified ? IconRosetteDiscountCheckOff : IconRosetteDiscountCheck
  return (
    <Menu.Item leftSection={<Shown size={16} aria-hidden />} onClick={() => void toggleVerified()}>
      {insight.verified ? 'Take verification back' : 'Verify figures'}
    </Menu.Item>
  )
}

/** Makes the copy and goes to it. */
function useDuplicateInsight(insight: Insight): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    try {
      const copy = await duplicateInsight(insight)
      notifications.show({ message: `Made “${copy.name}”. It is yours to change.` })
      await navigate({ to: '/insights/$id', params: { id: copy.id } })
    } catch (error) {
      notifyError(error)
    }
  }
}
