import type { Role } from '../shared/permissions'
import type { Entitlements } from '../shared/entitlements'
import type { OnboardingStep, WorkspaceSummary } from '../shared/session'
import type { WorkspaceSettings } from '../shared/workspaces'

/** A signed-in person, as read in the one database read of a request. */
export interface Actor {
  userId: string
  name: string
  email: string | null
  /** Key of the person's picture in the store, or null. */
  avatarKey: string | null
  locale: string | null
  onboarding: OnboardingStep
  /** SHA-256 of the session token, hex; never the token. */
  sessionHash: string
  /** Epoch ms at which this session ends when nothing more happens. */
  sessionExpiresAt: number
  /** Increases when the person's rights change everywhere (password, disabling). */
  epoch: number
  /** Works for the operator of this installation: may open the administration. */
  staff: boolean
  /** Epoch ms of the sign-in. */
  signedInAt: number
  workspaces: WorkspaceSummary[]
  /** Membership in the workspace this request names; null when it names none or a foreign one. */
  membership: Membership | null
}

/** Proof that someone of the operator asks, signed in not long ago. Built only by `staffOf`. */
export interface Staff {
  userId: string
}

export interface Membership {
  workspaceId: string
  workspaceName: string
  workspaceVersion: number
  logoKey: string | null
  /** What the person may do as: a viewer where the plan has no room for another analyst. */
  role: Role
  /** The role that was given, whatever the plan has room for. */
  givenRole: Role
  /** `none`: the plan has no room for this person, who may do nothing here. */
  seat: 'held' | 'none'
  epoch: number
  settings: WorkspaceSettings
  entitlements: Entitlements
}
