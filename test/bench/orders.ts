import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Exact totals of a generated file, money in whole cents. */
export interface OrderTotals {
  rows: number
  quantity: number
  amountCents: number
  costCents: number
  byRegion: Record<string, number>
}

export const REGIONS = [
  'Stockholm',
  'Skåne',
  'Västra Götaland',
  'Uppsala',
  'Norrbotten',
  'Örebro',
  'Gotland',
  'Halland',
]
export const GROUPS = [
  'Fasteners',
  'Tools',
  'Paint',
  'Electrical',
  'Plumbing',
  'Garden',
  'Workwear',
  'Timber',
  'Adhesives',
]
const CHANNELS = ['Counter', 'Webshop', 'Field sales']
/** Customers that orders name: `Customer 1` to this one. */
export const CUSTOMERS = 20_000
const DAYS = 3 * 365
const FIRST_DAY_MS = Date.UTC(2023, 0, 1)

/** A small seeded generator (mulberry32): same seed, same file, on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below)
  }
}

const pick = <T>(items: readonly T[], index: number): T => {
  const item = items[index]
  if (item === undefined) throw new RangeError(String(index))
  return item
}
const cents = (amount: number): string => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`

/** Writes a wholesaler's order lines, 11 columns, and answers the exact totals. */
export function writeOrders(path: string, rows: number, seed = 1): OrderTotals {
  const next = numbers(seed)
  const days = Array.from({ length: DAYS }, (_, day) =>
    new Date(FIRST_DAY_MS + day * 86_400_000).toISOString().slice(0, 10),
  )
  const totals: OrderTotals = { rows, quantity: 0, amountCents: 0, costCents: 0, byRegion: {} }
  const file = openSync(path, 'w')
  let chunk = 'order_id,ordered_at,customer,region,item,product_group,channel,quantity,unit_price,amount,cost\n'
  for (let n = 1; n <= rows; n++) {
    const region = pick(REGIONS, next(REGIONS.length))
    const quantity = 1 + next(12)
    const price = 490 + next(60_000)
    const amount = quantity * price
    const cost = Math.floor((amount * (55 + next(30))) / 100)
    const line = [n, pick(days, next(DAYS)), `Customer ${1 + next(CUSTOMERS)}`, region, `Item ${1 + next(2_000)}`]
    const rest = [
      pick(GROUPS, next(GROUPS.length)),
      pick(CHANNELS, next(CHANNELS.length)),
      quantity,
      cents(price),
      cents(amount),
      cents(cost),
    ]
    chunk += `${[...line, ...rest].join(',')}\n`
    totals.quantity += quantity
    totals.amountCents += amount
    totals.costCents += cost
    totals.byRegion[region] = (totals.byRegion[region] ?? 0) + amount
    if (chunk.length > 1_000_000) {
      writeSync(file, chunk)
      chunk = ''
    }
  }
  writeSync(file, chunk)
  // Else the disk would still be busy with it while the file is loaded.
  fsyncSync(file)
  closeSync(file)
  return totals
}
