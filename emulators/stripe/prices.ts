import { invalid, missing } from './faults.ts'
import { flag, metadataOf, needed, oneOf, part, text, texts, whole } from './form.ts'
import type { Form } from './form.ts'
import type { Cadence } from './calendar.ts'
import { emit, noting } from './events.ts'
import { page } from './lists.ts'
import type { PriceRecord, ProductRecord } from './state.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

export const productBody = (world: World, { ...product }: ProductRecord) => ({
  ...product,
  object: 'product',
  livemode: world.options.livemode,
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

export const priceBody = (world: World, { recurring, ...price }: PriceRecord) => ({
  ...price,
  object: 'price',
  billing_scheme: 'per_unit',
  livemode: world.options.livemode,
  custom_unit_amount: null,
  recurring: recurring && { ...recurring, meter: null, trial_period_days: null, usage_type: 'licensed' },
  tiers_mode: null,
  transform_quantity: null,
  type: recurring ? 'recurring' : 'one_time',
  unit_amount_decimal: String(price.unit_amount),
})

export function createProduct(world: World, form: Form): object {
  const id = text(form, 'id') ?? world.id('prod', 14)
  if (Object.hasOwn(world.state.products, id))
    throw invalid('Product already exists.', { param: 'id', code: 'resource_already_exists' })
  const product: ProductRecord = {
    id,
    created: world.now(),
    updated: world.now(),
    active: flag(form, 'active') ?? true,
    name: needed(form, 'name'),
    description: text(form, 'description') || null,
    metadata: metadataOf(form),
  }
  world.state.products[id] = product
  emit(world, 'product.created', productBody(world, product))
  return productBody(world, product)
}

export function updateProduct(world: World, id: string, form: Form): object {
  const product = found(world.state.products, 'product', id)
  const tell = () => productBody(world, product)
  noting(world, 'product.updated', {
    tell,
    change: () => {
      product.active = flag(form, 'active') ?? product.active
      product.name = text(form, 'name') ?? product.name
      const description = text(form, 'description')
      if (description !== undefined) product.description = description || null
      product.metadata = metadataOf(form, product.metadata)
    },
  })
  return tell()
}

export function listProducts(world: World, form: Form): object {
  const active = flag(form, 'active')
  const ids = texts(form, 'ids')
  const records = Object.values(world.state.products).filter(
    (one) => (active === undefined || one.active === active) && (ids.length === 0 || ids.includes(one.id)),
  )
  return page(records, form, { url: '/v1/products', tell: (one) => productBody(world, one) })
}

export function createPrice(world: World, form: Form): object {
  const product = needed(form, 'product')
  found(world.state.products, 'product', product, 'product')
  const recurring = part(form, 'recurring')
  const amount = whole(form, 'unit_amount')
  if (amount === undefined || amount < 0) throw invalid('Invalid unit_amount', { param: 'unit_amount' })
  const price: PriceRecord = {
    id: world.id('price', 24),
    created: world.now(),
    active: flag(form, 'active') ?? true,
    product,
    currency: needed(form, 'currency').toLowerCase(),
    unit_amount: amount,
    recurring: recurring
      ? {
          interval: oneOf(recurring, 'interval', ['day', 'week', 'month', 'year']) ?? 'month',
          interval_count: whole(recurring, 'interval_count') ?? 1,
        }
      : null,
    lookup_key: takeKey(world, form, null),
    nickname: text(form, 'nickname') || null,
    tax_behavior: text(form, 'tax_behavior') ?? 'unspecified',
    metadata: metadataOf(form),
  }
  world.state.prices[price.id] = price
  emit(world, 'price.created', priceBody(world, price))
  return priceBody(world, price)
}

/** The lookup key asked for; one that another price has must be asked for with `transfer_lookup_key`. */
function takeKey(world: World, form: Form, own: PriceRecord | null): string | null {
  const key = text(form, 'lookup_key')
  if (key === undefined) return own?.lookup_key ?? null
  if (key === '') return null
  const holder = Object.values(world.state.prices).find((one) => one.lookup_key === key && one !== own)
  if (holder !== undefined) {
    if (flag(form, 'transfer_lookup_key') !== true)
      throw invalid(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
    noting(world, 'price.updated', {
      tell: () => priceBody(world, holder),
      change: () => {
        holder.lookup_key = null
      },
    })
  }
  return key
}

export function updatePrice(world: World, id: string, form: Form): object {
  const price = found(world.state.prices, 'price', id)
  const tell = () => priceBody(world, price)
  noting(world, 'price.updated', {
    tell,
    change: () => {
      price.lookup_key = takeKey(world, form, price)
      price.active = flag(form, 'active') ?? price.active
      const nickname = text(form, 'nickname')
      if (nickname !== undefined) price.nickname = nickname || null
      price.tax_behavior = text(form, 'tax_behavior') ?? price.tax_behavior
      price.metadata = metadataOf(form, price.metadata)
    },
  })
  return tell()
}

export function listPrices(world: World, form: Form): object {
  const keys = texts(form, 'lookup_keys')
  if (keys.length > 10)
    throw invalid('Array lookup_keys exceeded maximum 10 allowed elements.', { param: 'lookup_keys' })
  const active = flag(form, 'active')
  const product = text(form, 'product')
  const currency = text(form, 'currency')
  const type = text(form, 'type')
  const records = Object.values(world.state.prices).filter(
    (one) =>
      (keys.length === 0 || (one.lookup_key !== null && keys.includes(one.lookup_key))) &&
      (active === undefined || one.active === active) &&
      (product === undefined || one.product === product) &&
      (currency === undefined || one.currency === currency) &&
      (type === undefined || (type === 'recurring') === (one.recurring !== null)),
  )
  return page(records, form, { url: '/v1/prices', tell: (one) => priceBody(world, one) })
}

/** How often a price that is sold renews. @throws 400 for one that is not there, is archived or does not renew */
export function sellable(world: World, id: string, param: string): PriceRecord & { cadence: Cadence } {
  const price = Object.hasOwn(world.state.prices, id) ? world.state.prices[id] : undefined
  if (price === undefined) throw missing('price', id, param)
  if (!price.active) throw invalid(`The price specified is inactive. This field only accepts active prices.`, { param })
  return { ...price, cadence: cadenceOf(price, param) }
}

export function cadenceOf({ recurring }: PriceRecord, param = 'price'): Cadence {
  if (recurring === null)
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      {
        param,
      },
    )
  return { interval: recurring.interval, count: recurring.interval_count }
}
