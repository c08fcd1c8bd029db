import { emit, noting } from './events.ts'
import { invalid, missing } from './faults.ts'
import { list, metadataOf, needed, part, text, texts, whole } from './form.ts'
import type { Form } from './form.ts'
import { inner, page } from './lists.ts'
import type { CustomerRecord, TaxIdRecord } from './state.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

export const taxIdBody = (world: World, { customer, ...taxId }: TaxIdRecord) => ({
  ...taxId,
  object: 'tax_id',
  country: taxId.value.slice(0, 2),
  customer,
  customer_account: null,
  livemode: world.options.livemode,
  owner: { type: 'customer', customer },
  verification: { status: 'pending', verified_address: null, verified_name: null },
})

export const taxIdsOf = (world: World, customer: string): TaxIdRecord[] =>
  Object.values(world.state.taxIds).filter((one) => one.customer === customer)

export function customerBody(world: World, { deleted, invoice_settings, ...customer }: CustomerRecord): object {
  if (deleted) return { id: customer.id, object: 'customer', deleted: true }
  const open = Object.values(world.state.invoices).filter(
    (one) => one.customer === customer.id && one.status === 'open' && (one.overdue || one.attempted),
  )
  return {
    ...customer,
    object: 'customer',
    currency: open[0]?.currency ?? null,
    default_source: null,
    delinquent: open.length > 0,
    discount: null,
    invoice_settings: { ...invoice_settings, rendering_options: null },
    livemode: world.options.livemode,
    shipping: null,
    test_clock: null,
    tax_ids: inner(
      `/v1/customers/${customer.id}/tax_ids`,
      taxIdsOf(world, customer.id).map((one) => taxIdBody(world, one)),
    ),
  }
}

/** @throws 404, or 400 when a parameter names it; a deleted one counts as not there */
export function customerOf(world: World, id: string, param?: string): CustomerRecord {
  const customer = found(world.state.customers, 'customer', id, param)
  if (customer.deleted) throw missing('customer', id, param)
  return customer
}

function applyCustomer(world: World, customer: CustomerRecord, form: Form): void {
  for (const name of ['name', 'email', 'phone', 'description'] as const) {
    const value = text(form, name)
    if (value !== undefined) customer[name] = value || null
  }
  const email = text(form, 'email')
  if (email && !/^[^@\s]+@[^@\s]+$/.test(email))
    throw invalid(`Invalid email address: ${email}`, { param: 'email', code: 'email_invalid' })
  if (form['address'] !== undefined) customer.address = part(form, 'address') ?? null
  if (form['preferred_locales'] !== undefined) customer.preferred_locales = texts(form, 'preferred_locales')
  customer.tax_exempt = text(form, 'tax_exempt') || customer.tax_exempt
  customer.balance = whole(form, 'balance') ?? customer.balance
  customer.metadata = metadataOf(form, customer.metadata)
  const settings = part(form, 'invoice_settings')
  if (settings === undefined) return
  const card = text(settings, 'default_payment_method')
  if (card) found(world.state.cards, 'PaymentMethod', card, 'invoice_settings[default_payment_method]')
  if (card !== undefined) customer.invoice_settings.default_payment_method = card || null
  if (settings['custom_fields'] !== undefined) customer.invoice_settings.custom_fields = customFields(settings)
  const footer = text(settings, 'footer')
  if (footer !== undefined) customer.invoice_settings.footer = footer || null
}

/** At most four, with names of at most 40 characters and values of at most 140. */
export function customFields(form: Form): Form[] | null {
  const fields = list(form, 'custom_fields') ?? []
  const long = fields.some((one) => needed(one, 'name').length > 40 || needed(one, 'value').length > 140)
  if (fields.length > 4 || long) throw invalid('Invalid custom_fields', { param: 'custom_fields' })
  return fields.length === 0 ? null : fields
}

export function createCustomer(world: World, form: Form): object {
  const customer: CustomerRecord = {
    id: world.id('cus', 14),
    created: world.now(),
    deleted: false,
    name: null,
    email: null,
    phone: null,
    description: null,
    address: null,
    balance: 0,
    preferred_locales: [],
    tax_exempt: 'none',
    invoice_settings: { default_payment_method: null, custom_fields: null, footer: null },
    invoice_prefix: world.word(8).toUpperCase(),
    next_invoice_sequence: 1,
    metadata: {},
  }
  applyCustomer(world, customer, form)
  world.state.customers[customer.id] = customer
  const taxIds = list(form, 'tax_id_data') ?? []
  emit(world, 'customer.created', customerBody(world, customer))
  for (const taxId of taxIds) createTaxId(world, customer.id, taxId)
  return customerBody(world, customer)
}

export function updateCustomer(world: World, id: string, form: Form): object {
  const customer = customerOf(world, id)
  const tell = () => customerBody(world, customer)
  noting(world, 'customer.updated', { tell, change: () => applyCustomer(world, customer, form) })
  return tell()
}

export function listCustomers(world: World, form: Form): object {
  const email = text(form, 'email')
  const records = Object.values(world.state.customers).filter(
    (one) => !one.deleted && (email === undefined || one.email === email),
  )
  return page(records, form, { url: '/v1/customers', tell: (one) => customerBody(world, one) })
}

/** Form of an EU number; other kinds are taken as they are. */
const EU_VAT = /^[A-Z]{2}[A-Z0-9+*]{2,13}$/

export function createTaxId(world: World, customer: string, form: Form): object {
  customerOf(world, customer)
  const type = needed(form, 'type')
  const value = needed(form, 'value')
  if (type === 'eu_vat' && !EU_VAT.test(value))
    throw invalid(`Invalid value for eu_vat.`, { param: 'value', code: 'tax_id_invalid' })
  const taxId: TaxIdRecord = { id: world.id('txi', 24), created: world.now(), customer, type, value }
  world.state.taxIds[taxId.id] = taxId
  emit(world, 'customer.tax_id.created', taxIdBody(world, taxId))
  return taxIdBody(world, taxId)
}

export function listTaxIds(world: World, customer: string, form: Form): object {
  customerOf(world, customer)
  const url = `/v1/customers/${customer}/tax_ids`
  return page(taxIdsOf(world, customer), form, { url, tell: (one) => taxIdBody(world, one) })
}

export function deleteTaxId(world: World, customer: string, id: string): object {
  const taxId = found(world.state.taxIds, 'tax_id', id)
  if (taxId.customer !== customer) throw missing('tax_id', id)
  delete world.state.taxIds[id]
  emit(world, 'customer.tax_id.deleted', taxIdBody(world, taxId))
  return { id, object: 'tax_id', deleted: true }
}
