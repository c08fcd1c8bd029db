import { createContext, useContext, type ReactNode } from 'react'
import { useSession } from './session'
import type { Permission, Role } from '../../src/shared/permissions'
import type { GateName } from '../../src/shared/billing/plans'

/** Whether the person's role in this tab's workspace holds the permission. The server decides again on every call. */
export function useMay(permission: Permission): boolean {
  return useSession().workspace?.permissions.includes(permission) ?? false
}

const OverLimitContext = createContext(false)
/** Whatever is drawn inside belongs to something that is frozen: it can be read, not changed. */
export function OverLimitScope({ frozen, children }: { frozen: boolean; children: ReactNode }) {
  return <OverLimitContext value={frozen}>{children}</OverLimitContext>
}

/** Whether the person may do it, the workspace takes changes now, and what it is done to is not frozen. */
export function useMayWrite(permission: Permission): boolean {
  const may = useMay(permission)
  const readOnly = useSession().workspace?.entitlements.readOnly ?? null
  return !useContext(OverLimitContext) && may && readOnly === null
}

/** Whether this browser shows somebody else's view of the data for now: nothing can be changed, not even for oneself. */
export const useIsViewingAs = (): boolean => Boolean(useSession().workspace?.viewAs)

/** The role somebody was given, where the plan has no seat for it and they act as a viewer for now; null otherwise. */
export function useRoleWithoutSeat(): Role | null {
  const { workspace, workspaces } = useSession()
  const assignedRole = workspaces.find(({ id }) => id === workspace?.id)?.role
  // Who looks at data as somebody else has that one's role for now.
  if (!workspace || workspace.viewAs !== null || assignedRole === undefined) return null
  return assignedRole === workspace.role ? null : assignedRole
}

export interface GateProps {
  /** The plan must open this. */
  needs?: GateName
  /** The role must hold this. */
  may?: Permission
  /** Shown instead: a locked state, a disabled button, or nothing. */
  otherwise?: ReactNode
  children: ReactNode
}

/** Shows its children only where plan and role allow what they do. */
export function Gate({ needs, may, otherwise = null, children }: GateProps) {
  const { workspace } = useSession()
  const planAllows = needs === undefined || (workspace?.entitlements.features[needs] ?? false)
  const roleAllows = may === undefined || (workspace?.permissions.includes(may) ?? false)
  return planAllows && roleAllows ? children : otherwise
}
