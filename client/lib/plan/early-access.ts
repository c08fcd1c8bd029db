import { useQuery } from '@tanstack/react-query'
import { jsonQuery } from '../queries/query-options'
import { api } from '../api'
import { useSession, workspaceId } from '../session'
import type { PilotKey } from '../../../src/shared/pilot/features'
import type { PilotList } from '../../../src/shared/pilot/pilot'

/** A feature that is stopped everywhere is gone from open pages after this long at the latest. */
const REFRESH_MS = 45_000

export const pilotQuery = () =>
  jsonQuery<PilotList>(['pilot', 'features', workspaceId()], (options) => api.api.pilot.$get({}, options))

/**
 * Whether a feature of early access is on for the person: what uses it draws nothing of it where this is false. The page
 * data say so at first; while it is on, it is asked again, so that a kill switch holds on open pages too.
 */
export function useIsEnrolled(key: PilotKey): boolean {
  const { workspace } = useSession()
  const wasOn = workspace?.earlyAccess.includes(key) ?? false
  const { data } = useQuery({
    ...pilotQuery(),
    enabled: wasOn,
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: true,
  })
  if (data === undefined) return wasOn
  const item = data.items.find((each) => each.key === key)
  // What everybody has by now is on no list of what is tried.
  return item?.on ?? wasOn
}
