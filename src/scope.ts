import type { Role } from './shared/permissions'
import type { Entitlements } from './shared/billing/entitlements'
import type { OnboardingStep, ViewAs, WorkspaceSummary } from './shared/session'
import type { WorkspaceSettings } from './shared/workspaces/workspaces'
import type { ColumnMask } from './shared/data-access/rules'
import type { Filter } from './shared/query/plan'
import type { Field } from './shared/query/field'
import { canonicalJson, sha256HexSync } from './lib/hash'

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
  /** What of the workspace's data the person may see. */
  rights: DataRights
  /** Whose view the person has for now; what they may see and do is that one's. Null: their own. */
  viewAs: ViewAs | null
}

/** Rows of a dataset that rules of access let through: those that pass all conditions of one of `anyOf`, and of none of `noneOf`. */
export interface RowRule {
  dataset: string
  anyOf: 'all' | Filter[][]
  noneOf: Filter[][]
}

/** What of a workspace's data somebody may see. Equal rights see the same, whoever has them. */
export interface DataRights {
  /** Datasets that may be read: all, or these; but for those hidden below. */
  datasets: 'all' | string[]
  hiddenDatasets: string[]
  /** Every dataset of these is hidden, those to come included. */
  hiddenSources: string[]
  /** Several of one dataset are AND-ed. A dataset without one is unfiltered. */
  rowFilters: RowRule[]
  /** Columns that do not exist for this actor. */
  hidden: Field[]
  /** Columns of which only a part of each value is shown. */
  masked: { field: Field; mask: ColumnMask }[]
  hiddenMetrics: string[]
  /** Insights of these categories do not exist for this actor. */
  hiddenCategories: string[]
}

/** Every row and column. */
export const FULL_RIGHTS: DataRights = {
  datasets: 'all',
  hiddenDatasets: [],
  hiddenSources: [],
  rowFilters: [],
  hidden: [],
  masked: [],
  hiddenMetrics: [],
  hiddenCategories: [],
}

/** A scope as plain data: what travels over RPC. Built only by {@link Scope.wire}. */
export interface ScopeWire extends DataRights {
  workspaceId: string
  actorId: string
  /** Epochs of person and membership when the scope was built. */
  epoch: string
  /** `link`: somebody outside, by a link to a report. `system`: the product itself, with no person behind it. Only it may erase. */
  client: 'app' | 'link' | 'job' | 'system'
}

/**
 * The only key to data. Opaque: built here from a proven membership, never from an id that came in a request.
 * Stores and the warehouse take it first.
 */
export class Scope {
  readonly #wire: ScopeWire
  /** Whether what may be seen is that of somebody whom the actor looks as. */
  readonly isView: boolean
  private constructor(wire: ScopeWire, isView = false) {
    this.#wire = wire
    this.isView = isView
  }

  /** What of the workspace the person may see, by the rules of access. */
  static forMember(actor: Actor, membership: Membership): Scope {
    const wire: ScopeWire = {
      workspaceId: membership.workspaceId,
      actorId: actor.userId,
      epoch: `${actor.epoch}.${membership.epoch}`,
      client: 'app',
      ...membership.rights,
    }
    return new Scope(wire, membership.viewAs !== null)
  }

  /** Work that a member started or wants the result of: with their rights, as they were read for it. */
  static forReader(reader: { workspaceId: string; userId: string; epoch: string; rights: DataRights }): Scope {
    const { workspaceId, userId, epoch, rights } = reader
    return new Scope({ workspaceId, actorId: userId, epoch, client: 'job', ...rights })
  }

  /** A program that asks in a member's name by a token of theirs: with their rights, as they were read for this request. */
  static forToken(holder: { workspaceId: string; userId: string; epoch: string; rights: DataRights }): Scope {
    const { workspaceId, userId, epoch, rights } = holder
    return new Scope({ workspaceId, actorId: userId, epoch, client: 'app', ...rights })
  }

  /**
   * Somebody outside who has a link to a report. They are no member: what they ask counts for the link, and nothing of its
   * creator's own is theirs.
   * @param of rights that the creator had when they made it and has still
   */
  static forShareLink(of: { workspaceId: string; linkId: string; epoch: string; rights: DataRights }): Scope {
    const { workspaceId, linkId, epoch, rights } = of
    return new Scope({ workspaceId, actorId: linkId, epoch, client: 'link', ...rights })
  }

  /** A durable job that shows nobody what it reads: loads, cleaning up. What somebody reads is asked by {@link forReader}. */
  static forJob(started: { workspaceId: string; userId: string; epoch: string }): Scope {
    return new Scope({
      workspaceId: started.workspaceId,
      actorId: started.userId,
      epoch: started.epoch,
      client: 'job',
      ...FULL_RIGHTS,
    })
  }

  /** The product's own work on a workspace whose time is over: it reads nothing, and may erase. */
  static forSystem(workspaceId: string): Scope {
    return new Scope({ workspaceId, actorId: '', epoch: 'system', client: 'system', ...FULL_RIGHTS, datasets: [] })
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
export const accessFingerprint = (scope: Scope): string => rightsFingerprint(scope.wire())

export function rightsFingerprint(rights: DataRights): string {
  const { datasets, rowFilters, hidden, masked, hiddenDatasets, hiddenSources, hiddenMetrics, hiddenCategories } =
    rights
  const further = { masked, hiddenDatasets, hiddenSources, hiddenMetrics, hiddenCategories }
  // Rights without such are named as they were before these were known.
  const named = Object.entries(further).filter(([, items]) => items.length > 0)
  return sha256HexSync(
    canonicalJson({
      datasets: datasets === 'all' ? datasets : canonicalSorted(datasets),
      rowFilters: canonicalSorted(rowFilters),
      hidden: canonicalSorted(hidden),
      ...Object.fromEntries(named.map(([key, items]) => [key, canonicalSorted<unknown>(items)])),
    }),
  )
}

/** In an order of their own: the same rules in another order are the same rights. */
const canonicalSorted = <T>(items: readonly T[]): string[] => items.map((item) => canonicalJson(item)).toSorted()

/** Whether rights leave out no row and no column. */
export const isFullAccess = (rights: DataRights): boolean =>
  rights.datasets === 'all' &&
  [rights.hiddenDatasets, rights.hiddenSources, rights.rowFilters, rights.hidden, rights.masked].every(
    (items) => items.length === 0,
  ) &&
  rights.hiddenMetrics.length === 0 &&
  rights.hiddenCategories.length === 0

/** Whether a scope sees everything of its workspace. */
export const hasFullAccess = (scope: Scope): boolean => isFullAccess(scope.wire())
