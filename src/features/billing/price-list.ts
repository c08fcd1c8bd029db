import type { Stripe } from './stripe'
import { PRICE_CATALOGUE, type CataloguePrice } from '../../shared/billing/price-catalogue'
import { log } from '../../lib/log'
import { ProductError } from '../../shared/errors'
import type { BillingInterval } from '../../shared/billing/prices'

/** Stripe takes ten lookup keys at a time. */
const LOOKUP_KEYS_MAX = 10
/** Beside the lookup key, which a newer price takes over: what an older price of a running subscription stands for. */
const CATALOGUE_KEY_FIELD = 'insikt_key'
export const STRIPE_INTERVALS: Record<BillingInterval, 'month' | 'year'> = { monthly: 'month', yearly: 'year' }

/** The key of our catalogue that a price stands for, whether or not a newer price has taken it over; null = not ours. */
export const catalogueKeyOf = ({
  lookup_key: key,
  metadata,
}: Pick<Stripe.Price, 'lookup_key' | 'metadata'>): string | null => key ?? metadata[CATALOGUE_KEY_FIELD] ?? null

/** Whether a price charges what the catalogue says. */
const matchesCatalogue = (price: Stripe.Price, { minor, currency, interval }: CataloguePrice): boolean =>
  price.unit_amount === minor &&
  price.currency === currency.toLowerCase() &&
  price.recurring?.interval === STRIPE_INTERVALS[interval] &&
  price.recurring.interval_count === 1

/**
 * The ids of the prices under these keys of the catalogue. Nobody is charged what was not shown: a price that differs
 * from the catalogue is none.
 * @throws ProductError `billing_unavailable` when the account's price list is not ours (see {@link syncPriceList})
 */
export async function priceIdsOf(stripe: Stripe, keys: readonly string[]): Promise<Map<string, string>> {
  const prices = await listPrices(stripe, keys)
  const ids = new Map<string, string>()
  for (const entry of PRICE_CATALOGUE) {
    const price = prices.get(entry.lookupKey)
    if (price?.active && matchesCatalogue(price, entry)) ids.set(entry.lookupKey, price.id)
  }
  const missing = keys.filter((key) => !ids.has(key))
  if (missing.length === 0) return ids
  log('warn', 'the price list of the Stripe account is not ours: see the script that brings it there', { missing })
  const cause = new Error(`No such price in the account: ${missing.join(', ')}`)
  throw new ProductError('billing_unavailable', {}, undefined, { cause })
}

async function listPrices(stripe: Stripe, keys: readonly string[]): Promise<Map<string, Stripe.Price>> {
  const chunks = Array.from({ length: Math.ceil(keys.length / LOOKUP_KEYS_MAX) }, (_, at) =>
    keys.slice(at * LOOKUP_KEYS_MAX, (at + 1) * LOOKUP_KEYS_MAX),
  )
  const pages = await Promise.all(chunks.map((some) => stripe.prices.list({ lookup_keys: [...some], limit: 100 })))
  return new Map(pages.flatMap(({ data }) => data.map((price) => [price.lookup_key ?? '', price] as const)))
}

/** What {@link syncPriceList} did, by product and by lookup key. */
export interface PriceListChanges {
  products: { made: string[]; changed: string[] }
  prices: { made: string[]; replaced: string[]; revived: string[] }
}

/**
 * Makes the account's products and prices what the catalogue says; safe to run twice. A price whose amount changed is
 * replaced: the new one takes its key over, subscriptions that run keep the old one, which is no longer sold.
 */
export async function syncPriceList(stripe: Stripe): Promise<PriceListChanges> {
  const products = await syncProducts(stripe)
  const held = await listPrices(
    stripe,
    PRICE_CATALOGUE.map(({ lookupKey }) => lookupKey),
  )
  const prices: PriceListChanges['prices'] = { made: [], replaced: [], revived: [] }
  for (const entry of PRICE_CATALOGUE) {
    const price = held.get(entry.lookupKey)
    const outcome = await syncPrice(stripe, entry, price)
    if (outcome !== null) prices[outcome].push(entry.lookupKey)
  }
  return { products, prices }
}

const productId = (product: string): string => `insikt_${product}`

async function syncProducts(stripe: Stripe): Promise<PriceListChanges['products']> {
  const wanted = new Map(PRICE_CATALOGUE.map((entry) => [productId(entry.product), entry]))
  const { data } = await stripe.products.list({ ids: [...wanted.keys()], limit: 100 })
  const held = new Map(data.map((product) => [product.id, product]))
  const changes: PriceListChanges['products'] = { made: [], changed: [] }
  for (const [id, { product, name, description }] of wanted) {
    const existing = held.get(id)
    if (!existing) {
      await stripe.products.create({ id, name, description })
      changes.made.push(product)
    } else if (existing.name !== name || existing.description !== description || !existing.active) {
      await stripe.products.update(id, { name, description, active: true })
      changes.changed.push(product)
    }
  }
  return changes
}

async function syncPrice(
  stripe: Stripe,
  entry: CataloguePrice,
  held: Stripe.Price | undefined,
): Promise<keyof PriceListChanges['prices'] | null> {
  if (held && matchesCatalogue(held, entry)) {
    if (held.active && held.metadata[CATALOGUE_KEY_FIELD] === entry.lookupKey) return null
    await stripe.prices.update(held.id, { active: true, metadata: { [CATALOGUE_KEY_FIELD]: entry.lookupKey } })
    return 'revived'
  }
  // First of all, because the key leaves the old price by the next call.
  if (held) await stripe.prices.update(held.id, { metadata: { [CATALOGUE_KEY_FIELD]: entry.lookupKey } })
  await stripe.prices.create({
    product: productId(entry.product),
    currency: entry.currency.toLowerCase(),
    unit_amount: entry.minor,
    recurring: { interval: STRIPE_INTERVALS[entry.interval] },
    lookup_key: entry.lookupKey,
    transfer_lookup_key: true,
    metadata: { [CATALOGUE_KEY_FIELD]: entry.lookupKey },
  })
  if (held) await stripe.prices.update(held.id, { active: false })
  return held ? 'replaced' : 'made'
}
