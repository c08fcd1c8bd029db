import { getAccount, storeCustomer } from './store'
import { callStripe, stripeClient } from './stripe'
import type { Stripe } from './stripe'
import { commit, tryCommit } from '../../db/commit'
import type { AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import type { BillingDetails } from '../../shared/billing/subscription'
import type { BillingAccount, PurchaseKind } from './billing-account'

export const subscriptionAuditEntry = (
  { scope: { workspaceId, actorId } }: RequestContext,
  action: string,
  change: Pick<AuditEntry, 'before' | 'after'> = {},
): AuditEntry => ({ workspaceId, actorId, action, entity: 'subscription', entityId: workspaceId, ...change })

/** An account whose customer at Stripe is known. */
export type BillingCustomer = BillingAccount & { customerId: string }
const hasCustomer = (account: BillingAccount): account is BillingCustomer => account.customerId !== null

/** Every customer at Stripe that is the workspace. */
export const customerIdsOf = ({
  customerId,
  premiumCustomerId,
}: Pick<BillingAccount, 'customerId' | 'premiumCustomerId'>): string[] =>
  [customerId, premiumCustomerId].filter((id) => id !== null)

/** Who pays for what is sold. */
export interface Payer {
  account: BillingCustomer
  customer: string
}

/**
 * Stripe bills a customer in one currency: Premium sync is paid in euro by a customer of its own, beside an older tier in
 * kronor.
 */
export async function resolvePayer(
  deps: Deps,
  stripe: Stripe,
  { of, ...asked }: CustomerRequest & { of: PurchaseKind },
): Promise<Payer> {
  const account = await ensureCustomer(deps, stripe, asked)
  if (of === 'plan') return { account, customer: account.customerId }
  if (account.premiumCustomerId !== null) return { account, customer: account.premiumCustomerId }
  const reloaded = await createCustomer(deps, stripe, { ...asked, account, of })
  if (hasCustomer(reloaded) && reloaded.premiumCustomerId !== null)
    return { account: reloaded, customer: reloaded.premiumCustomerId }
  throw new ProductError('busy')
}

/**
 * The workspace's customer at Stripe, made when it is needed for the first time. However often and by however many at once:
 * there is one.
 */
async function ensureCustomer(deps: Deps, stripe: Stripe, request: CustomerRequest): Promise<BillingCustomer> {
  if (hasCustomer(request.account)) return request.account
  const current = await createCustomer(deps, stripe, { ...request, of: 'plan' })
  if (hasCustomer(current)) return current
  throw new ProductError('busy')
}

const CUSTOMER_COLUMNS = {
  plan: { column: 'customer_id', call: 'customer' },
  premium: { column: 'premium_customer_id', call: 'premium-customer' },
} as const

async function createCustomer(
  deps: Deps,
  stripe: Stripe,
  { account, context, of }: CustomerRequest & { of: PurchaseKind },
): Promise<BillingAccount> {
  const { workspaceId } = account
  const { column, call } = CUSTOMER_COLUMNS[of]
  const { id } = await callStripe(
    stripe.customers.create({ metadata: { workspace_id: workspaceId } }, { idempotencyKey: `${workspaceId}:${call}` }),
  )
  await updateCustomerDetails(stripe, id, invoiceDetailsFor(account, context))
  await tryCommit(deps, {
    change: [storeCustomer(deps.db, column, { workspaceId, id })],
    audit: [subscriptionAuditEntry(context, 'subscription.customer', { after: id })],
  })
  return getAccount(deps.db, account)
}

export interface CustomerRequest {
  account: BillingAccount
  context: RequestContext
}

/** What stands on invoices: as stated, else the workspace's name and the address of whoever buys. */
export const invoiceDetailsFor = (
  { details, workspaceName }: BillingAccount,
  { actor }: RequestContext,
): BillingDetails => ({
  companyName: details.companyName || workspaceName,
  billingEmail: details.billingEmail || (actor.email ?? ''),
  taxId: details.taxId ?? '',
  poReference: details.poReference ?? '',
})

/**
 * Writes to the customer what stands on invoices from now on.
 * @throws ProductError `billing_unavailable`; `invalid_input` when Stripe takes the tax id for none
 */
export async function updateCustomerDetails(
  stripe: Stripe,
  customer: string,
  { companyName, billingEmail, taxId, poReference }: BillingDetails,
): Promise<void> {
  await updateTaxId(stripe, customer, taxId)
  await callStripe(
    stripe.customers.update(customer, {
      name: companyName,
      ...(billingEmail === '' ? {} : { email: billingEmail }),
      preferred_locales: ['en'],
      invoice_settings: { custom_fields: poReference === '' ? '' : [{ name: 'PO reference', value: poReference }] },
    }),
  )
}

const EU_VAT = 'eu_vat'
const TAX_ID_INVALID = 'This number is not accepted as an EU VAT number.'

/** The new one first: an invoice in between has one number too many rather than none. */
async function updateTaxId(stripe: Stripe, customer: string, taxId: string): Promise<void> {
  const { data } = await callStripe(stripe.customers.listTaxIds(customer, { limit: 100 }))
  const existing = data.filter(({ type }) => type === EU_VAT)
  if (taxId !== '' && !existing.some(({ value }) => value === taxId)) {
    try {
      await callStripe(stripe.customers.createTaxId(customer, { type: EU_VAT, value: taxId }))
    } catch (error) {
      if (stripeRefusalOf(error)?.code === 'tax_id_invalid')
        throw new ProductError('invalid_input', { fields: { taxId: TAX_ID_INVALID } }, TAX_ID_INVALID)
      throw error
    }
  }
  for (const { id, value } of existing)
    if (value !== taxId) await callStripe(stripe.customers.deleteTaxId(customer, id))
}

/** What Stripe said against a call: its code and the parameter it is about; null = it was not refused, it failed. */
export function stripeRefusalOf(error: unknown): { code: string; param: string } | null {
  if (!(error instanceof ProductError) || typeof error.cause !== 'object' || error.cause === null) return null
  const { cause } = error
  if (!('type' in cause) || cause.type !== 'StripeInvalidRequestError') return null
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  return { code: 'code' in cause ? text(cause.code) : '', param: 'param' in cause ? text(cause.param) : '' }
}

/** Which of an account's portals is ours: made once, and found again by this. */
const PORTAL_METADATA = { insikt_portal: '1' }
const PORTAL_FEATURES: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  customer_update: { enabled: true, allowed_updates: ['address', 'email', 'name', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
}

/**
 * Stripe's page for cards, invoices and cancelling. Plans are changed on ours, where it is said what that costs and freezes.
 * @throws ProductError `not_found` where nothing has been bought yet, `billing_unavailable`
 */
export async function openPortal(context: RequestContext): Promise<{ url: string }> {
  const { deps, scope } = context
  const { customerId, workspaceId } = await getAccount(deps.db, scope)
  if (customerId === null) throw new ProductError('not_found', {}, 'Nothing has been bought here yet.')
  const stripe = stripeClient(deps)
  const { url } = await callStripe(
    stripe.billingPortal.sessions.create({
      customer: customerId,
      configuration: await ensurePortalConfiguration(stripe),
      locale: 'en',
      return_url: new URL(`/settings/workspace/subscription?w=${workspaceId}`, deps.settings.BASE_URL).href,
    }),
  )
  // Whoever holds the address is let in for a few minutes: it is kept nowhere, and the same call again gets a new one.
  await commit(deps, { change: [], audit: [subscriptionAuditEntry(context, 'subscription.portal')] })
  return { url }
}

async function ensurePortalConfiguration(stripe: Stripe): Promise<string> {
  const { data } = await callStripe(stripe.billingPortal.configurations.list({ active: true, limit: 100 }))
  const existing = data.find(({ metadata }) => metadata?.['insikt_portal'] === PORTAL_METADATA.insikt_portal)
  if (existing) return existing.id
  const created = await callStripe(
    stripe.billingPortal.configurations.create(
      { features: PORTAL_FEATURES, metadata: PORTAL_METADATA },
      { idempotencyKey: 'insikt:portal:1' },
    ),
  )
  return created.id
}
