import { GroupsPanel } from '../features/groups/groups-panel'
import { MembersScreen } from '../features/members/members-screen'

export function MembersRoute() {
  return <MembersScreen groups={<GroupsPanel />} />
}
