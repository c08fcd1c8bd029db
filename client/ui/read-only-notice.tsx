import { useRoleWithoutSeat } from '../lib/gate'
import { EmptyState } from './empty-state'
import { LinkAnchor } from './links'

interface ReadOnlyNoticeProps {
  things: string
  to: '/insights' | '/forecasts'
}

/** Why somebody cannot make these: their role, or a plan without a seat for it, of which more stands above. */
export function ReadOnlyNotice({ things, to }: ReadOnlyNoticeProps) {
  const heldBack = useRoleWithoutSeat() !== null
  return (
    <EmptyState
      picture="locked"
      title={`You can read ${things} here`}
      sentence={
        heldBack
          ? 'You can make your own again as soon as the plan has a seat for you.'
          : 'Ask an owner or administrator for the role of analyst to make your own.'
      }
      action={<LinkAnchor to={to}>See the {things}</LinkAnchor>}
    />
  )
}
