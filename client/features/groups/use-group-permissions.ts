import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'

/** What can be done with groups in this tab's workspace. */
export function useGroupPermissions() {
  const entitlements = useSession().workspace?.entitlements
  const planned = entitlements?.features.userGrouping ?? false
  const administers = useMay('edit:group')
  return {
    /** The plan includes groups. */
    planned,
    /** Whether groups themselves may be made, changed and deleted now. */
    mayEdit: administers && planned && entitlements?.readOnly === null,
    administers,
  }
}
