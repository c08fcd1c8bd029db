import { invalidRequestError, notFoundError } from './errors.ts'
import {
  optionalBoolean,
  mergeMetadata,
  requireText,
  oneOf,
  subForm,
  optionalText,
  textList,
  optionalInteger,
} from './form.ts'
import type { Form } from './form.ts'
import type { BillingInterval } from './calendar.ts'
import { emit, emitOnChange } from './events.ts'
import { paginate } from './lists.ts'
import type { PriceRecord, ProductRecord } from './state.ts'
import { requireRecord, type Simulation } from './simulation.ts'

export const productBody = (simulation: Simulation, { ...product }: ProductRecord) => ({
  ...product,
  object: 'product',
  livemode: simulation.options.livemode,
  default_price: null,
  images: [],
  marketing_features: [],
  package_dimensions: null,
  shippable: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  unit_label: null,
  url: null,
})

export const priceBody = (simulation: Simulation, { recurring, ...price }: PriceRecord) => ({
  ...price,
  object: 'price',
  billing_scheme: 'per_unit',
  livemode: simulation.options.livemode,
  custom_unit_amount: null,
  recurring: recurring && { ...recurring, meter: null, trial_period_days: null, usage_type: 'licensed' },
  tiers_mode: null,
  transform_quantity: null,
  type: recurring ? 'recurring' : 'one_time',
  unit_amount_decimal: String(price.unit_amount),
})

export function createProduct(simulation: Simulation, form: Form): object {
  const id = optionalText(form, 'id') ?? simulation.id('prod', 14)
  if (Object.hasOwn(simulation.state.products, id))
    throw invalidRequestError('Product already exists.', { param: 'id', code: 'resource_already_exists' })
  const product: ProductRecord = {
    id,
    created: simulation.now(),
    updated: simulation.now(),
    active: optionalBoolean(form, 'active') ?? true,
    name: requireText(form, 'name'),
    description: optionalText(form, 'description') || null,
    metadata: mergeMetadata(form),
  }
  simulation.state.products[id] = product
  emit(simulation, 'product.created', productBody(simulation, product))
  return productBody(simulation, product)
}

export function updateProduct(simulation: Simulation, id: string, form: Form): object {
  const product = requireRecord(simulation.state.products, 'product', id)
  const tell = () => productBody(simulation, product)
  emitOnChange(simulation, 'product.updated', {
    tell,
    change: () => {
      product.active = optionalBoolean(form, 'active') ?? product.active
      product.name = optionalText(form, 'name') ?? product.name
      const description = optionalText(form, 'description')
      if (description !== undefined) product.description = description || null
      product.metadata = mergeMetadata(form, product.metadata)
    },
  })
  return tell()
}

export function listProducts(simulation: Simulation, form: Form): object {
  const active = optionalBoolean(form, 'active')
  const ids = textList(form, 'ids')
  const records = Object.values(simulation.state.products).filter(
    (one) => (active === undefined || one.active === active) && (ids.length === 0 || ids.includes(one.id)),
  )
  return paginate(records, form, { url: '/v1/products', tell: (one) => productBody(simulation, one) })
}

export function createPrice(simulation: Simulation, form: Form): object {
  const product = requireText(form, 'product')
  requireRecord(simulation.state.products, 'product', product, 'product')
  const recurring = subForm(form, 'recurring')
  const amount = optionalInteger(form, 'unit_amount')
  if (amount === undefined || amount < 0) throw invalidRequestError('Invalid unit_amount', { param: 'unit_amount' })
  const price: PriceRecord = {
    id: simulation.id('price', 24),
    created: simulation.now(),
    active: optionalBoolean(form, 'active') ?? true,
    product,
    currency: requireText(form, 'currency').toLowerCase(),
    unit_amount: amount,
    recurring: recurring
      ? {
          interval: oneOf(recurring, 'interval', ['day', 'week', 'month', 'year']) ?? 'month',
          interval_count: optionalInteger(recurring, 'interval_count') ?? 1,
        }
      : null,
    lookup_key: claimLookupKey(simulation, form, null),
    nickname: optionalText(form, 'nickname') || null,
    tax_behavior: optionalText(form, 'tax_behavior') ?? 'unspecified',
    metadata: mergeMetadata(form),
  }
  simulation.state.prices[price.id] = price
  emit(simulation, 'price.created', priceBody(simulation, price))
  return priceBody(simulation, price)
}

/** The lookup key asked for; one that another price has must be asked for with `transfer_lookup_key`. */
function claimLookupKey(simulation: Simulation, form: Form, own: PriceRecord | null): string | null {
  const key = optionalText(form, 'lookup_key')
  if (key === undefined) return own?.lookup_key ?? null
  if (key === '') return null
  const holder = Object.values(simulation.state.prices).find((one) => one.lookup_key === key && one !== own)
  if (holder !== undefined) {
    if (optionalBoolean(form, 'transfer_lookup_key') !== true)
      throw invalidRequestError(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
    emitOnChange(simulation, 'price.updated', {
      tell: () => priceBody(simulation, holder),
      change: () => {
        holder.lookup_key = null
      },
    })
  }
  return key
}

export function updatePrice(simulation: Simulation, id: string, form: Form): object {
  const price = requireRecord(simulation.state.prices, 'price', id)
  const tell = () => priceBody(simulation, price)
  emitOnChange(simulation, 'price.updated', {
    tell,
    change: () => {
      price.lookup_key = claimLookupKey(simulation, form, price)
      price.active = optionalBoolean(form, 'active') ?? price.active
      const nickname = optionalText(form, 'nickname')
      if (nickname !== undefined) price.nickname = nickname || null
      price.tax_behavior = optionalText(form, 'tax_behavior') ?? price.tax_behavior
      price.metadata = mergeMetadata(form, price.metadata)
    },
  })
  return tell()
}

export function listPrices(simulation: Simulation, form: Form): object {
  const keys = textList(form, 'lookup_keys')
  if (keys.length > 10)
    throw invalidRequestError('Array lookup_keys exceeded maximum 10 allowed elements.', { param: 'lookup_keys' })
  const active = optionalBoolean(form, 'active')
  const product = optionalText(form, 'product')
  const currency = optionalText(form, 'currency')
  const type = optionalText(form, 'type')
  const records = Object.values(simulation.state.prices).filter(
    (one) =>
      (keys.length === 0 || (one.lookup_key !== null && keys.includes(one.lookup_key))) &&
      (active === undefined || one.active === active) &&
      (product === undefined || one.product === product) &&
      (currency === undefined || one.currency === currency) &&
      (type === undefined || (type === 'recurring') === (one.recurring !== null)),
  )
  return paginate(records, form, { url: '/v1/prices', tell: (one) => priceBody(simulation, one) })
}

/** How often a price that is sold renews. @throws 400 for one that is not there, is archived or does not renew */
export function requireSellablePrice(
  simulation: Simulation,
  id: string,
  param: string,
): PriceRecord & { cadence: BillingInterval } {
  const price = Object.hasOwn(simulation.state.prices, id) ? simulation.state.prices[id] : undefined
  if (price === undefined) throw notFoundError('price', id, param)
  if (!price.active)
    throw invalidRequestError(`The price specified is inactive. This field only accepts active prices.`, { param })
  return { ...price, cadence: billingIntervalOfPrice(price, param) }
}

export function billingIntervalOfPrice({ recurring }: PriceRecord, param = 'price'): BillingInterval {
  if (recurring === null)
    throw invalidRequestError(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      {
        param,
      },
    )
  return { interval: recurring.interval, count: recurring.interval_count }
}
