import { accountAgain } from './store'
import type { BillingRow } from './store'
import { asking } from './stripe'
import type { Stripe } from './stripe'
import type { SaleOf } from './sale'
import type { Viewing } from './view'
import type { Actor } from '../../access/actor'
import { commit } from '../../db/commit'
import type { AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Reply } from '../../http/idempotency'
import { ProductError } from '../../shared/errors'
import type { BillingDetails } from '../../shared/subscription'

/** Who buys or changes, for which workspace, and how the answer is kept for the same call again. */
export interface Buying extends Viewing {
  person: Pick<Actor, 'userId' | 'name' | 'email'>
  reply: Reply
}

export const audited = (
  { person, scope }: Buying,
  action: string,
  change: Pick<AuditEntry, 'before' | 'after'> = {},
): AuditEntry => ({
  ...{ workspaceId: scope.workspaceId, actorId: person.userId, action },
  ...{ entity: 'subscription', entityId: scope.workspaceId, ...change },
})

/** An account whose customer at Stripe is known. */
export type Customer = BillingRow & { customerId: string }
const isCustomer = (account: BillingRow): account is Customer => account.customerId !== null

/** Every customer at Stripe that is the workspace. */
export const customersOf = ({
  customerId,
  premiumCustomerId,
}: Pick<BillingRow, 'customerId' | 'premiumCustomerId'>): string[] =>
  [customerId, premiumCustomerId].filter((id) => id !== null)

/** Who pays for what is sold. */
export interface Payer {
  account: Customer
  customer: string
}

/**
 * Stripe bills a customer in one currency: Premium sync is paid in euro by a customer of its own, beside an older tier in
 * kronor.
 */
export async function payerOf(deps: Deps, stripe: Stripe, { of, ...asked }: Asked & { of: SaleOf }): Promise<Payer> {
  const account = await customerOf(deps, stripe, asked)
  if (of === 'plan') return { account, customer: account.customerId }
  if (account.premiumCustomerId !== null) return { account, customer: account.premiumCustomerId }
  const again = await made(deps, stripe, { ...asked, account, of })
  if (isCustomer(again) && again.premiumCustomerId !== null)
    return { account: again, customer: again.premiumCustomerId }
  throw new ProductError('busy')
}

/**
 * The workspace's customer at Stripe, made when it is needed for the first time. However often and by however many at once:
 * there is one.
 */
export async function customerOf(deps: Deps, stripe: Stripe, asked: Asked): Promise<Customer> {
  if (isCustomer(asked.account)) return asked.account
  const again = await made(deps, stripe, { ...asked, of: 'plan' })
  if (isCustomer(again)) return again
  throw new ProductError('busy')
}

const PLACES = {
  plan: { column: 'customer_id', call: 'customer' },
  premium: { column: 'premium_customer_id', call: 'premium-customer' },
} as const

async function made(deps: Deps, stripe: Stripe, { account, buying, of }: Asked & { of: SaleOf }): Promise<BillingRow> {
  const { workspaceId } = account
  const { column, call } = PLACES[of]
  const { id } = await asking(
    stripe.customers.create({ metadata: { workspace_id: workspaceId } }, { idempotencyKey: `${workspaceId}:${call}` }),
  )
  await writeDetails(stripe, id, detailsFor(account, buying))
  const missed = new ProductError('busy')
  try {
    const keep = deps.db.d1
      .prepare(`UPDATE subscriptions SET ${column} = ? WHERE workspace_id = ? AND ${column} IS NULL`)
      .bind(id, workspaceId)
    const audit = [audited(buying, 'subscription.customer', { after: id })]
    await commit(deps, { change: [keep], audit, expect: { onMissed: () => missed } })
  } catch (error) {
    if (error !== missed) throw error
  }
  return accountAgain(deps.db, account)
}

export interface Asked {
  account: BillingRow
  buying: Buying
}

/** What stands on invoices: as stated, else the workspace's name and the address of whoever buys. */
export const detailsFor = ({ details, workspaceName }: BillingRow, { person }: Buying): BillingDetails => ({
  companyName: details.companyName || workspaceName,
  billingEmail: details.billingEmail || (person.email ?? ''),
  taxId: details.taxId ?? '',
  poReference: details.poReference ?? '',
})

/**
 * Writes to the customer what stands on invoices from now on.
 * @throws ProductError `billing_unavailable`; `invalid_input` when Stripe takes the tax id for none
 */
export async function writeDetails(
  stripe: Stripe,
  customer: string,
  { companyName, billingEmail, taxId, poReference }: BillingDetails,
): Promise<void> {
  await writeTaxId(stripe, customer, taxId)
  await asking(
    stripe.customers.update(customer, {
      name: companyName,
      ...(billingEmail === '' ? {} : { email: billingEmail }),
      preferred_locales: ['en'],
      invoice_settings: { custom_fields: poReference === '' ? '' : [{ name: 'PO reference', value: poReference }] },
    }),
  )
}

const EU = 'eu_vat'
const TAX_ID = 'This number is not accepted as an EU VAT number.'

/** The new one first: an invoice in between has one number too many rather than none. */
async function writeTaxId(stripe: Stripe, customer: string, taxId: string): Promise<void> {
  const { data } = await asking(stripe.customers.listTaxIds(customer, { limit: 100 }))
  const held = data.filter(({ type }) => type === EU)
  if (taxId !== '' && !held.some(({ value }) => value === taxId)) {
    try {
      await asking(stripe.customers.createTaxId(customer, { type: EU, value: taxId }))
    } catch (error) {
      if (refusalOf(error)?.code === 'tax_id_invalid')
        throw new ProductError('invalid_input', { fields: { taxId: TAX_ID } }, TAX_ID)
      throw error
    }
  }
  for (const { id, value } of held) if (value !== taxId) await asking(stripe.customers.deleteTaxId(customer, id))
}

/** What Stripe said against a call: its code and the parameter it is about; null = it was not refused, it failed. */
export function refusalOf(error: unknown): { code: string; param: string } | null {
  if (!(error instanceof ProductError) || typeof error.cause !== 'object' || error.cause === null) return null
  const { cause } = error
  if (!('type' in cause) || cause.type !== 'StripeInvalidRequestError') return null
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  return { code: 'code' in cause ? text(cause.code) : '', param: 'param' in cause ? text(cause.param) : '' }
}
