import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'

/** Whether the person may stop a load that is under way: of a frozen source, too; not while nothing may be changed. */
export function useMayCancelLoad(): boolean {
  const may = useMay('edit:source')
  const writable = useSession().workspace?.entitlements.readOnly === null
  return may && writable
}
