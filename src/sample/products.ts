export const PRODUCT_GROUPS = ['Garden', 'Tools', 'Paint', 'Workwear', 'Fasteners'] as const
export type ProductGroup = (typeof PRODUCT_GROUPS)[number]

export interface Product {
  name: string
  group: ProductGroup
  /** Price before discount in the first year, in öre. */
  listPrice: number
  /** Purchase price as a share of the list price. */
  costShare: number
  /** Usual number of pieces on an order line. */
  pack: number
}

type ProductLine = [name: string, listPrice: number, costShare: number, pack: number]
const productsOf = (group: ProductGroup, lines: ProductLine[]): Product[] =>
  lines.map(([name, listPrice, costShare, pack]) => ({ name, group, listPrice, costShare, pack }))

export const PRODUCTS: readonly Product[] = [
  ...productsOf('Garden', [
    ['Potting soil 50 l, pallet', 289_000, 0.63, 3],
    ['Lawn seed 10 kg', 64_900, 0.58, 12],
    ['Garden hose 25 m', 32_900, 0.55, 20],
    ['Wheelbarrow 90 l', 89_900, 0.6, 8],
    ['Robot mower R400', 849_000, 0.67, 2],
    ['Hedge trimmer 55 cm', 129_900, 0.61, 6],
    ['Raised bed frame', 44_900, 0.56, 16],
    ['Patio paving, pallet', 398_000, 0.64, 3],
  ]),
  ...productsOf('Tools', [
    ['Cordless drill 18 V', 149_900, 0.62, 7],
    ['Angle grinder 125 mm', 99_900, 0.6, 8],
    ['Mitre saw 254 mm', 289_900, 0.65, 3],
    ['Laser level', 219_900, 0.61, 3],
    ['Socket set 94 pieces', 109_900, 0.57, 7],
    ['Ladder 3.5 m', 139_900, 0.6, 6],
    ['Work light LED', 49_900, 0.54, 14],
    ['Compressor 24 l', 219_900, 0.66, 3],
  ]),
  ...productsOf('Paint', [
    ['Facade paint white 10 l', 129_900, 0.6, 9],
    ['Facade paint red 10 l', 124_900, 0.6, 8],
    ['Wall paint matt 10 l', 99_900, 0.58, 10],
    ['Wood oil 5 l', 64_900, 0.59, 12],
    ['Primer 10 l', 89_900, 0.6, 9],
    ['Floor varnish 5 l', 84_900, 0.61, 8],
    ['Roller set', 19_900, 0.5, 30],
  ]),
  ...productsOf('Workwear', [
    ['Work trousers', 89_900, 0.56, 12],
    ['Winter jacket', 139_900, 0.58, 8],
    ['High-vis vest', 14_900, 0.48, 50],
    ['Safety shoes S3', 109_900, 0.57, 10],
    ['Gloves, 12 pairs', 34_900, 0.52, 20],
    ['Helmet', 39_900, 0.53, 15],
  ]),
  ...productsOf('Fasteners', [
    ['Decking screws A4, box', 48_900, 0.55, 24],
    ['Wood screws assorted, box', 32_900, 0.52, 30],
    ['Nails hot-dip galvanised, box', 27_900, 0.56, 30],
    ['Concrete anchors, box', 54_900, 0.54, 16],
    ['Construction glue, 12 tubes', 69_900, 0.57, 14],
    ['Angle brackets, box', 39_900, 0.53, 20],
  ]),
]

/** How much of each group is bought in each month, January first; 1 is an even year. */
const SEASONALITY: Record<ProductGroup, readonly number[]> = {
  Garden: [0.3, 0.4, 0.95, 1.9, 2.2, 1.7, 1.0, 0.95, 0.85, 0.6, 0.35, 0.3],
  Tools: [0.85, 0.9, 1.0, 1.05, 1.1, 1.0, 0.6, 1.0, 1.1, 1.1, 1.15, 1.15],
  Paint: [0.55, 0.6, 0.8, 1.15, 1.6, 1.65, 1.3, 1.35, 1.1, 0.75, 0.6, 0.5],
  Workwear: [1.0, 0.9, 0.9, 0.95, 0.9, 0.8, 0.6, 1.0, 1.15, 1.3, 1.35, 1.15],
  Fasteners: [0.8, 0.85, 0.95, 1.15, 1.25, 1.2, 0.75, 1.1, 1.1, 1.05, 0.95, 0.8],
}
const SHARE: Record<ProductGroup, number> = { Garden: 0.2, Tools: 0.23, Paint: 0.2, Workwear: 0.17, Fasteners: 0.2 }

/** Weight of a group among the lines of an order placed in a month (1–12). */
export const groupWeight = (group: ProductGroup, month: number): number =>
  SHARE[group] * (SEASONALITY[group][month - 1] ?? 1)
/** How busy a month is over all groups; 1 is an even year. */
export const monthWeight = (month: number): number =>
  PRODUCT_GROUPS.reduce((sum, group) => sum + groupWeight(group, month), 0)
