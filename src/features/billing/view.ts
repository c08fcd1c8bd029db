import { isCustom } from './projection'
import { billingStore } from './store'
import type { BillingRow } from './store'
import type { Membership } from '../../access/actor'
import { freezesUnder } from '../../access/freezes'
import { readMeters } from '../../access/meters'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { entitlements } from '../../shared/entitlements'
import type { SubscriptionState } from '../../shared/entitlements'
import type { BillingDetails, SubscriptionView } from '../../shared/subscription'

/** Whose subscription is shown. */
export interface Viewing {
  scope: Scope
  settings: Membership['settings']
}

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
const NO_DETAILS: BillingDetails = { companyName: '', billingEmail: '', taxId: '', poReference: '' }
const PAID: readonly SubscriptionState[] = ['active', 'invoice_pending', 'past_due']

/** Whether what stays may be chosen: while no plan is paid for, and while a smaller one waits. */
export const mayChoose = (state: SubscriptionState, scheduled: unknown): boolean =>
  scheduled !== null || !PAID.includes(state)

/**
 * The subscription as we know it: nobody is asked, so it is shown while billing is away. `row` = as it stands or will stand;
 * read when left out.
 */
export async function subscriptionView(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { scope, settings }: Viewing,
  given?: BillingRow,
): Promise<SubscriptionView> {
  const row = given ?? (await billingStore(db, scope).get())
  const now = clock.now()
  const held = entitlements(row, now)
  const [meters, frozen] = await Promise.all([
    readMeters(db, scope, { entitlements: held, settings, now }),
    freezesUnder(db, scope, held.features),
  ])
  const { planId, tier, interval, addOns, method, scheduled, version } = row
  return {
    ...{ state: held.state, planId, tier, interval, addOns, method },
    trialEndsAt: iso(row.trialEndsAt),
    periodEndsAt: iso(row.periodEndsAt),
    cancelAt: iso(row.cancelAt),
    graceEndsAt: iso(held.graceEndsAt),
    invoiceDueAt: iso(row.invoiceDueAt),
    scheduled: scheduled && { ...scheduled, at: new Date(scheduled.at).toISOString() },
    details: { ...NO_DETAILS, ...row.details },
    ...{ meters, frozen, mayChoose: mayChoose(held.state, scheduled), custom: isCustom(row), version },
  }
}
