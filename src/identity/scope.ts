import type { Role } from '../shared/permissions'
import type { Entitlements } from '../shared/billing/entitlements'
import type { OnboardingStep, WorkspaceSummary } from '../shared/session'
import type { WorkspaceSettings } from '../shared/workspaces/workspaces'
import type { Filter } from '../shared/query/plan'
import type { Field } from '../shared/query/field'
import { canonicalJson, sha256HexSync } from '../lib/hash'

/** A signed-in person, as read in the one database read of a request. */
export interface Actor {
  userId: string
  name: string
  email: string | null
  /** Whether a mail or a provider has shown that the address is theirs; without it nothing of theirs reaches others. */
  emailProven: boolean
  /** Whether what the account held before the proof waits for their answer. */
  earlierUse: boolean
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

/** A scope as plain data: what travels over RPC. Built only by {@link Scope.wire}. */
export interface ScopeWire {
  workspaceId: string
  actorId: string
  /** Epochs of person and membership when the scope was built. */
  epoch: string
  /** `system`: the product itself, with no person behind it. Only it may erase. */
  client: 'app' | 'job' | 'system'
  /** Datasets that may be read: all, or these. */
  datasets: 'all' | string[]
  /** Row filters by dataset; several are AND-ed. A dataset without an entry is unfiltered. */
  rowFilters: { dataset: string; filters: Filter[] }[]
  /** Columns that do not exist for this actor. */
  hidden: Field[]
}

/**
 * The only key to data. Opaque: built here from a proven membership, never from an id that came in a request.
 * Stores and the warehouse take it first.
 */
export class Scope {
  readonly #wire: ScopeWire
  private constructor(wire: ScopeWire) {
    this.#wire = wire
  }

  /** Everything in the workspace the person is a member of. */
  static forMember(actor: Actor, membership: Membership): Scope {
    return new Scope({
      workspaceId: membership.workspaceId,
      actorId: actor.userId,
      epoch: `${actor.epoch}.${membership.epoch}`,
      client: 'app',
      datasets: 'all',
      rowFilters: [],
      hidden: [],
    })
  }

  /** A durable job that a member started: the same rights, re-read at each step by the caller. */
  static forJob(started: { workspaceId: string; userId: string; epoch: string }): Scope {
    return new Scope({
      workspaceId: started.workspaceId,
      actorId: started.userId,
      epoch: started.epoch,
      client: 'job',
      datasets: 'all',
      rowFilters: [],
      hidden: [],
    })
  }

  /** The product's own work on a workspace whose time is over: it reads nothing, and may erase. */
  static forSystem(workspaceId: string): Scope {
    return new Scope({
      workspaceId,
      actorId: '',
      epoch: 'system',
      client: 'system',
      datasets: [],
      rowFilters: [],
      hidden: [],
    })
  }

  get workspaceId(): string {
    return this.#wire.workspaceId
  }
  get actorId(): string {
    return this.#wire.actorId
  }
  wire(): ScopeWire {
    return this.#wire
  }
}

/**
 * Names what a scope may see of the rows, not who asks: equal rights have equal names. What is kept of a workspace's
 * figures is kept under this name and shown to nobody whose rights have another.
 */
export function accessFingerprint(scope: Scope): string {
  const { datasets, rowFilters, hidden } = scope.wire()
  return sha256HexSync(
    canonicalJson({
      datasets: datasets === 'all' ? datasets : canonicalSorted(datasets),
      rowFilters: canonicalSorted(rowFilters),
      hidden: canonicalSorted(hidden),
    }),
  )
}

/** In an order of their own: the same rules in another order are the same rights. */
const canonicalSorted = <T>(items: readonly T[]): string[] => items.map((item) => canonicalJson(item)).toSorted()

/** Whether a scope sees every row and column of its workspace. */
export function hasFullAccess(scope: Scope): boolean {
  const { datasets, rowFilters, hidden } = scope.wire()
  return datasets === 'all' && rowFilters.length === 0 && hidden.length === 0
}
