import { randomFrom, range } from './simulation'
import { column } from '../warehouse-rows'
import type { StorageValue } from '../../../src/lib/storage-value'

/** Ten thousand order lines of four years, made up from a seed, with what an analyst would tell of them put into them. */
export const ORDER_LINE_COLUMNS = [
  column(0, { type: 'date', role: 'time', label: 'Order date' }),
  column(1, { type: 'text', label: 'Region' }),
  column(2, { type: 'text', label: 'Product group' }),
  column(3, { type: 'text', label: 'Segment' }),
  column(4, { type: 'number', scale: 2, role: 'measure', label: 'Discount' }),
  column(5, { type: 'number', scale: 2, role: 'measure', label: 'Sales' }),
  column(6, { type: 'number', scale: 2, role: 'measure', label: 'Profit' }),
  column(7, { type: 'boolean', label: 'Returned' }),
]
const REGIONS = ['West', 'East', 'Central', 'South'] as const
const SEGMENTS = ['Consumer', 'Corporate', 'Home office'] as const
/** Margin of each group without a discount. */
const GROUPS = { Phones: 0.2, Chairs: 0.16, Paper: 0.32, Storage: 0.14, Binders: 0.26, Tables: 0.02 } as const
const NAMES = ['Phones', 'Chairs', 'Paper', 'Storage', 'Binders', 'Tables'] as const
const DISCOUNTS = [0, 0, 0, 0, 0, 0, 0.1, 0.1, 0.2, 0.2, 0.3, 0.4, 0.5] as const
const LINES = 10_000
/** Days of four years up to the end of 2022. */
const FIRST = Math.floor(Date.UTC(2019, 0, 1) / 86_400_000)
const DAYS = 1461
const LAST_YEAR = FIRST + DAYS - 365
const LAST_QUARTER = FIRST + DAYS - 92

export function orderLines(seed = 20): StorageValue[][] {
  const random = randomFrom(seed)
  return range(LINES).map((n): StorageValue[] => {
    const day = FIRST + Math.floor((n / LINES) ** 0.9 * DAYS)
    const [region, group, segment] = [random.pick(REGIONS), random.pick(NAMES), random.pick(SEGMENTS)]
    const discount = random.pick(DISCOUNTS)
    const sales = 300 * Math.exp(0.6 * random.normal()) * (1 - discount)
    const isTurned = day >= LAST_QUARTER && (region === 'Central' || region === 'South')
    const margin =
      GROUPS[group] -
      (discount >= 0.3 ? 0.5 : discount / 2) -
      (isTurned ? 0.35 : 0) -
      (group === 'Tables' && day >= LAST_YEAR ? 0.25 : 0) +
      0.05 * random.normal()
    const isReturned = random.unit() < (group === 'Chairs' && segment === 'Corporate' ? 0.3 : 0.06)
    const cents = (value: number): number => Math.round(value * 100)
    return [
      day,
      region,
      group,
      segment,
      Math.round(discount * 100),
      cents(sales),
      cents(sales * margin),
      isReturned ? 1 : 0,
    ]
  })
}
