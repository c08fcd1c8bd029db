import { emit, emitOnChange } from './events.ts'
import { invalidRequestError, notFoundError } from './errors.ts'
import { formList, mergeMetadata, requireText, subForm, optionalText, textList, optionalInteger } from './form.ts'
import type { Form } from './form.ts'
import { embeddedList, paginate } from './lists.ts'
import type { CustomerRecord, TaxIdRecord } from './state.ts'
import { requireRecord, type Simulation } from './simulation.ts'

export const taxIdBody = (simulation: Simulation, { customer, ...taxId }: TaxIdRecord) => ({
  ...taxId,
  object: 'tax_id',
  country: taxId.value.slice(0, 2),
  customer,
  customer_account: null,
  livemode: simulation.options.livemode,
  owner: customer === null ? { type: 'self' } : { type: 'customer', customer },
  verification: { status: 'pending', verified_address: null, verified_name: null },
})

export const taxIdsOf = (simulation: Simulation, customer: string): TaxIdRecord[] =>
  Object.values(simulation.state.taxIds).filter((one) => one.customer === customer)

export function customerBody(
  simulation: Simulation,
  { deleted, invoice_settings, ...customer }: CustomerRecord,
): object {
  if (deleted) return { id: customer.id, object: 'customer', deleted: true }
  const open = Object.values(simulation.state.invoices).filter(
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
    livemode: simulation.options.livemode,
    shipping: null,
    test_clock: null,
    tax_ids: embeddedList(
      `/v1/customers/${customer.id}/tax_ids`,
      taxIdsOf(simulation, customer.id).map((one) => taxIdBody(simulation, one)),
    ),
  }
}

/** @throws 404, or 400 when a parameter names it; a deleted one counts as not there */
export function requireCustomer(simulation: Simulation, id: string, param?: string): CustomerRecord {
  const customer = requireRecord(simulation.state.customers, 'customer', id, param)
  if (customer.deleted) throw notFoundError('customer', id, param)
  return customer
}

function applyCustomer(simulation: Simulation, customer: CustomerRecord, form: Form): void {
  for (const name of ['name', 'email', 'phone', 'description'] as const) {
    const value = optionalText(form, name)
    if (value !== undefined) customer[name] = value || null
  }
  const email = optionalText(form, 'email')
  if (email && !/^[^@\s]+@[^@\s]+$/.test(email))
    throw invalidRequestError(`Invalid email address: ${email}`, { param: 'email', code: 'email_invalid' })
  if (form['address'] !== undefined) customer.address = subForm(form, 'address') ?? null
  if (form['preferred_locales'] !== undefined) customer.preferred_locales = textList(form, 'preferred_locales')
  customer.tax_exempt = optionalText(form, 'tax_exempt') || customer.tax_exempt
  customer.balance = optionalInteger(form, 'balance') ?? customer.balance
  customer.metadata = mergeMetadata(form, customer.metadata)
  const settings = subForm(form, 'invoice_settings')
  if (settings === undefined) return
  const card = optionalText(settings, 'default_payment_method')
  if (card) requireRecord(simulation.state.cards, 'PaymentMethod', card, 'invoice_settings[default_payment_method]')
  if (card !== undefined) customer.invoice_settings.default_payment_method = card || null
  if (settings['custom_fields'] !== undefined) customer.invoice_settings.custom_fields = customFields(settings)
  const footer = optionalText(settings, 'footer')
  if (footer !== undefined) customer.invoice_settings.footer = footer || null
}

/** At most four, with names of at most 40 characters and values of at most 140. */
export function customFields(form: Form): Form[] | null {
  const fields = formList(form, 'custom_fields') ?? []
  const long = fields.some((one) => requireText(one, 'name').length > 40 || requireText(one, 'value').length > 140)
  if (fields.length > 4 || long) throw invalidRequestError('Invalid custom_fields', { param: 'custom_fields' })
  return fields.length === 0 ? null : fields
}

export function createCustomer(simulation: Simulation, form: Form): object {
  const customer: CustomerRecord = {
    id: simulation.id('cus', 14),
    created: simulation.now(),
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
    invoice_prefix: simulation.word(8).toUpperCase(),
    next_invoice_sequence: 1,
    metadata: {},
  }
  applyCustomer(simulation, customer, form)
  simulation.state.customers[customer.id] = customer
  const taxIds = formList(form, 'tax_id_data') ?? []
  emit(simulation, 'customer.created', customerBody(simulation, customer))
  for (const taxId of taxIds) createTaxId(simulation, customer.id, taxId)
  return customerBody(simulation, customer)
}

export function updateCustomer(simulation: Simulation, id: string, form: Form): object {
  const customer = requireCustomer(simulation, id)
  const tell = () => customerBody(simulation, customer)
  emitOnChange(simulation, 'customer.updated', { tell, change: () => applyCustomer(simulation, customer, form) })
  return tell()
}

export function listCustomers(simulation: Simulation, form: Form): object {
  const email = optionalText(form, 'email')
  const records = Object.values(simulation.state.customers).filter(
    (one) => !one.deleted && (email === undefined || one.email === email),
  )
  return paginate(records, form, { url: '/v1/customers', tell: (one) => customerBody(simulation, one) })
}

/** Form of an EU number; other kinds are taken as they are. */
const EU_VAT = /^[A-Z]{2}[A-Z0-9+*]{2,13}$/

export function createTaxId(simulation: Simulation, customer: string, form: Form): object {
  requireCustomer(simulation, customer)
  const type = requireText(form, 'type')
  const value = requireText(form, 'value')
  if (type === 'eu_vat' && !EU_VAT.test(value))
    throw invalidRequestError(`Invalid value for eu_vat.`, { param: 'value', code: 'tax_id_invalid' })
  const taxId: TaxIdRecord = { id: simulation.id('txi', 24), created: simulation.now(), customer, type, value }
  simulation.state.taxIds[taxId.id] = taxId
  emit(simulation, 'customer.tax_id.created', taxIdBody(simulation, taxId))
  return taxIdBody(simulation, taxId)
}

export function listTaxIds(simulation: Simulation, customer: string, form: Form): object {
  requireCustomer(simulation, customer)
  const url = `/v1/customers/${customer}/tax_ids`
  return paginate(taxIdsOf(simulation, customer), form, { url, tell: (one) => taxIdBody(simulation, one) })
}

export function deleteTaxId(simulation: Simulation, customer: string, id: string): object {
  const taxId = requireRecord(simulation.state.taxIds, 'tax_id', id)
  if (taxId.customer !== customer) throw notFoundError('tax_id', id)
  delete simulation.state.taxIds[id]
  emit(simulation, 'customer.tax_id.deleted', taxIdBody(simulation, taxId))
  return { id, object: 'tax_id', deleted: true }
}
