import { useSearch } from '@tanstack/react-router'
import { GroupDetailView } from './group-detail'
import { GroupsList } from './groups-list'

/** People in groups: the list, or one of them when the address names it. Lives in a tab of the members’ page. */
export function GroupsPanel() {
  const { group } = useSearch({ strict: false })
  return group === undefined || group === '' ? <GroupsList /> : <GroupDetailView key={group} id={group} />
}
