import type { Actor, Membership } from './actor'
import type { Field, Filter } from '../shared/query'

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
