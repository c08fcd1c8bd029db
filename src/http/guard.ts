import type { MiddlewareHandler } from 'hono'
import { actorOf, membershipOf, staffOf, type AppContext, type AppEnv } from './context'
import { assertProvenEmail } from '../identity/email-proof'
import { ProductError } from '../shared/errors'
import { roleMay, type Permission } from '../shared/permissions'
import { requiredPlan, type GateName, type LimitName } from '../shared/billing/plans'

/** What a guard demands, as data: the architecture test and the generated documents read it from the route table. */
export type GuardDeclaration =
  | { kind: 'open'; reason: string }
  | { kind: 'signedIn' }
  | { kind: 'proven' }
  | { kind: 'staff' }
  | { kind: 'may'; permission: Permission }
  | { kind: 'needs'; gate: GateName }
  | { kind: 'within'; limit: LimitName }

export type Guard = MiddlewareHandler<AppEnv> & { guard: GuardDeclaration }

const declareGuard = (guard: GuardDeclaration, handler: MiddlewareHandler<AppEnv>): Guard =>
  Object.assign(handler, { guard })

/** Anyone may call this; the reason stands in the permission matrix. */
export const publicAccess = (reason: string): Guard => declareGuard({ kind: 'open', reason }, (_c, next) => next())

/** Any signed-in person, in no particular workspace. */
export const signedIn = (): Guard =>
  declareGuard({ kind: 'signedIn' }, (c, next) => {
    actorOf(c)
    return next()
  })

/** Somebody whose address is proven: for what reaches other people. */
export const provenEmail = (): Guard =>
  declareGuard({ kind: 'proven' }, (c, next) => {
    assertProvenEmail(actorOf(c))
    return next()
  })

/** Someone of the operator, signed in within the last hours. Everybody else is told 404. */
export const staffOnly = (): Guard =>
  declareGuard({ kind: 'staff' }, (c, next) => {
    staffOf(c)
    return next()
  })

/** What stays possible while nothing else may be written: to look, to revoke, to set up, to pay, to hand over, to end it. */
const ALLOWED_WHILE_READ_ONLY = /^(view|export|revoke):|^(edit|transfer|delete):workspace$|^edit:subscription$/

/** Calls with a body that looking at data as somebody else allows: to ask, and to take along what that one may. */
const ALLOWED_IN_VIEW = /^((view|export):data|view:report)$/
const readOnlyView = (): ProductError =>
  new ProductError('read_only', { reason: 'viewAs' }, 'You’re viewing as someone else. Stop viewing to make changes.')

/** A member of the named workspace whose role holds the permission. Foreign workspaces answer 404. */
export const may = (permission: Permission): Guard =>
  declareGuard({ kind: 'may', permission }, (c, next) => {
    const { role, entitlements, viewAs } = membershipOf(c)
    if (!roleMay(role, permission)) throw new ProductError('forbidden', { permission })
    if (viewAs && c.req.method !== 'GET' && !ALLOWED_IN_VIEW.test(permission)) throw readOnlyView()
    if (entitlements.readOnly && c.req.method !== 'GET' && !ALLOWED_WHILE_READ_ONLY.test(permission))
      throw new ProductError('read_only', { reason: entitlements.readOnly })
    return next()
  })

/**
 * For calls that whoever may look can make, and that write nonetheless.
 * @throws ProductError `read_only` while nothing may be written
 */
export function requireWritable(c: AppContext): void {
  const { viewAs, entitlements } = membershipOf(c)
  if (viewAs) throw readOnlyView()
  const { readOnly } = entitlements
  if (readOnly) throw new ProductError('read_only', { reason: readOnly })
}

/** The plan opens this gate. */
export const needs = (gate: GateName): Guard =>
  declareGuard({ kind: 'needs', gate }, (c, next) => {
    requireGate(c, gate)
    return next()
  })

/**
 * For calls of which only a part is behind a gate.
 * @throws ProductError `plan_required`
 */
export function requireGate(c: AppContext, gate: GateName): void {
  if (!membershipOf(c).entitlements.features[gate])
    throw new ProductError('plan_required', { feature: gate, requiredPlan: requiredPlan(gate) })
}

/** Declares the limit that the insert itself enforces; a limit of zero is refused here with the plan that lifts it. */
export const within = (limit: LimitName): Guard =>
  declareGuard({ kind: 'within', limit }, (c, next) => {
    if (membershipOf(c).entitlements.features[limit] === 0)
      throw new ProductError('limit_reached', { limit, used: 0, max: 0 })
    return next()
  })
