import type { Stripe } from './stripe'
import { CATALOGUE } from '../../shared/catalogue'
import type { CatalogueEntry } from '../../shared/catalogue'
import { log } from '../../lib/log'
import { ProductError } from '../../shared/errors'
import type { Interval } from '../../shared/prices'

/** Stripe takes ten lookup keys at a time. */
const KEYS_AT_ONCE = 10
/** Beside the lookup key, which a newer price takes over: what an older price of a running subscription stands for. */
const KEY_FIELD = 'insikt_key'
const EVERY: Record<Interval, 'month' | 'year'> = { monthly: 'month', yearly: 'year' }

/** The key of our catalogue that a price stands for, whether or not a newer price has taken it over; null = not ours. */
export const keyOf = ({ lookup_key: key, metadata }: Pick<Stripe.Price, 'lookup_key' | 'metadata'>): string | null =>
  key ?? metadata[KEY_FIELD] ?? null

/** Whether a price charges what the catalogue says. */
const charges = (price: Stripe.Price, { minor, currency, interval }: CatalogueEntry): boolean =>
  price.unit_amount === minor &&
  price.currency === currency.toLowerCase() &&
  price.recurring?.interval === EVERY[interval] &&
  price.recurring.interval_count === 1

/**
 * The ids of the prices under these keys of the catalogue. Nobody is charged what was not shown: a price that differs
 * from the catalogue is none.
 * @throws ProductError `billing_unavailable` when the account's price list is not ours (see {@link syncPriceList})
 */
export async function priceIdsOf(stripe: Stripe, keys: readonly string[]): Promise<Map<string, string>> {
  const prices = await pricesUnder(stripe, keys)
  const ids = new Map<string, string>()
  for (const entry of CATALOGUE) {
    const price = prices.get(entry.lookupKey)
    if (price?.active && charges(price, entry)) ids.set(entry.lookupKey, price.id)
  }
  const missing = keys.filter((key) => !ids.has(key))
  if (missing.length === 0) return ids
  log('warn', 'the price list of the Stripe account is not ours: see the script that brings it there', { missing })
  const cause = new Error(`No such price in the account: ${missing.join(', ')}`)
  throw new ProductError('billing_unavailable', {}, undefined, { cause })
}

async function pricesUnder(stripe: Stripe, keys: readonly string[]): Promise<Map<string, Stripe.Price>> {
  const chunks = Array.from({ length: Math.ceil(keys.length / KEYS_AT_ONCE) }, (_, at) =>
    keys.slice(at * KEYS_AT_ONCE, (at + 1) * KEYS_AT_ONCE),
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
  const held = await pricesUnder(
    stripe,
    CATALOGUE.map(({ lookupKey }) => lookupKey),
  )
  const prices: PriceListChanges['prices'] = { made: [], replaced: [], revived: [] }
  for (const entry of CATALOGUE) {
    const price = held.get(entry.lookupKey)
    const outcome = await syncPrice(stripe, entry, price)
    if (outcome !== null) prices[outcome].push(entry.lookupKey)
  }
  return { products, prices }
}

const productId = (product: string): string => `insikt_${product}`

async function syncProducts(stripe: Stripe): Promise<PriceListChanges['products']> {
  const wanted = new Map(CATALOGUE.map((entry) => [productId(entry.product), entry]))
  const { data } = await stripe.products.list({ ids: [...wanted.keys()], limit: 100 })
  const held = new Map(data.map((product) => [product.id, product]))
  const changes: PriceListChanges['products'] = { made: [], changed: [] }
  for (const [id, { product, name, description }] of wanted) {
    const there = held.get(id)
    if (!there) {
      await stripe.products.create({ id, name, description })
      changes.made.push(product)
    } else if (there.name !== name || there.description !== description || !there.active) {
      await stripe.products.update(id, { name, description, active: true })
      changes.changed.push(product)
    }
  }
  return changes
}

async function syncPrice(
  stripe: Stripe,
  entry: CatalogueEntry,
  held: Stripe.Price | undefined,
): Promise<keyof PriceListChanges['prices'] | null> {
  if (held && charges(held, entry)) {
    if (held.active && held.metadata[KEY_FIELD] === entry.lookupKey) return null
    await stripe.prices.update(held.id, { active: true, metadata: { [KEY_FIELD]: entry.lookupKey } })
    return 'revived'
  }
  // First of all, because the key leaves the old price by the next call.
  if (held) await stripe.prices.update(held.id, { metadata: { [KEY_FIELD]: entry.lookupKey } })
  await stripe.prices.create({
    product: productId(entry.product),
    currency: entry.currency.toLowerCase(),
    unit_amount: entry.minor,
    recurring: { interval: EVERY[entry.interval] },
    lookup_key: entry.lookupKey,
    transfer_lookup_key: true,
    metadata: { [KEY_FIELD]: entry.lookupKey },
  })
  if (held) await stripe.prices.update(held.id, { active: false })
  return held ? 'replaced' : 'made'
}
