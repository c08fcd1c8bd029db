import { queryClient } from '../../lib/queries/query-client'
import { pilotQuery } from '../../lib/plan/early-access'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { jsonQuery } from '../../lib/queries/query-options'
import { session, setSession } from '../../lib/session'
import type {
  PilotFeedbackInput,
  PilotItem,
  PilotList,
  PilotOverview,
  PilotSwitchInput,
  SavePilotInput,
} from '../../../src/shared/pilot/pilot'
import type { PilotKey } from '../../../src/shared/pilot/features'

/** What is on is known to the whole page at once. */
function remember(item: PilotItem): void {
  queryClient.setQueryData(
    pilotQuery().queryKey,
    (list: PilotList | undefined) => list && { items: list.items.map((each) => (each.key === item.key ? item : each)) },
  )
  const data = session()
  if (!data.workspace) return
  const others = data.workspace.earlyAccess.filter((key) => key !== item.key)
  const earlyAccess: PilotKey[] = item.on ? [...others, item.key] : others
  setSession({ ...data, workspace: { ...data.workspace, earlyAccess } })
}

export async function savePilot(key: PilotKey, json: SavePilotInput): Promise<void> {
  remember(await readJson<PilotItem>(api.api.pilot[':key'].$put({ param: { key }, json }, withIdempotencyKey())))
}

export async function sendFeedback(key: PilotKey, json: PilotFeedbackInput): Promise<void> {
  remember(
    await readJson<PilotItem>(api.api.pilot[':key'].feedback.$post({ param: { key }, json }, withIdempotencyKey())),
  )
}

/** For the operator: all workspaces. */
export const pilotOverviewQuery = () =>
  jsonQuery<PilotOverview>(['pilot', 'overview'], (options) => api.api.admin.pilot.$get({}, options))

export async function setPilotSwitch(key: string, json: PilotSwitchInput): Promise<void> {
  const overview = await readJson<PilotOverview>(
    api.api.admin.pilot[':key'].$put({ param: { key }, json }, withIdempotencyKey()),
  )
  queryClient.setQueryData(pilotOverviewQuery().queryKey, overview)
  await queryClient.invalidateQueries({ queryKey: pilotQuery().queryKey })
}
