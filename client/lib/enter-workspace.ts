import { queryClient } from './query-client'
import { session } from './session'
import { loadSession } from './session-calls'

/**
 * Brings the tab into the workspace its address names. What was read in another workspace is forgotten first.
 * A workspace the person does not belong to leaves the tab where it is.
 */
export async function enterWorkspace(id: string | undefined): Promise<void> {
  const { user, workspace, workspaces } = session()
  if (id === undefined || !user || workspace?.id === id) return
  if (!workspaces.some((known) => known.id === id)) return
  queryClient.clear()
  await loadSession(id)
}
