import type { Deps } from '../../deps'
import type { TokenHolder } from '../../identity/access-token-store'
import type { Membership } from '../../scope'
import { calendarOf, type CalendarContext } from '../../semantic/calendar'
import type { TokenScope } from '../../shared/programs/access-tokens'

/** By whose rights, plan and calendar a program is answered. Built for each request, as for a session. */
export interface McpContext extends CalendarContext {
  actor: { userId: string; name: string }
  membership: Pick<Membership, 'workspaceId' | 'workspaceName' | 'role' | 'settings' | 'entitlements'>
  scopes: readonly TokenScope[]
  /** Aborts when the program goes. */
  signal: AbortSignal
  requestId: string
}

export function mcpContext(
  deps: Deps,
  { member, scope, scopes }: TokenHolder,
  call: { signal: AbortSignal; requestId: string },
): McpContext {
  const { userId, name, workspaceName, role, settings, entitlements } = member
  const membership = { workspaceId: scope.workspaceId, workspaceName, role, settings, entitlements }
  return {
    ...{ deps, scope, scopes, membership, actor: { userId, name }, ...call },
    calendar: calendarOf(membership, deps.clock),
  }
}
