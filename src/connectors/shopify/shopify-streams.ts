import { valueAt, type RecordColumn } from '../records'

/** A list of a store that is read: what is asked of each object, and which columns come of it. */
export interface ShopifyList {
  key: string
  label: string
  /** The connection that is paged through. */
  root: 'orders' | 'products' | 'productVariants' | 'customers'
  /** What is asked of each object of it; where rows are its parts, `nested` stands for those. */
  selection: string
  columns: readonly RecordColumn[]
  /** Objects a page: a page of them costs less than one query may. */
  pageSize: number
  /** Whether the list can be had in the order of its changes. */
  sortsByChange: boolean
  /** A condition beside that of what changed. */
  filter?: string
  /** Rows are these parts of each object: a list that pages by itself, or a plain one. */
  nested?: { field: string; selection: string; pages: boolean; size: number }
}

const id = (name: string, from: string): RecordColumn => ({ name, from, type: 'text', role: 'id', convert: plainId })
const text = (name: string, from: string): RecordColumn => ({ name, from, type: 'text', role: 'dimension' })
const yes = (name: string, from: string): RecordColumn => ({ name, from, type: 'boolean', role: 'dimension' })
const count = (name: string, from: string): RecordColumn => ({ name, from, type: 'integer', role: 'measure' })
const moment = (name: string, from: string): RecordColumn => ({
  name,
  from,
  type: 'datetime',
  role: 'time',
  zoned: true,
})
/** Amounts are in the store's own currency, whatever the customer paid in. */
const AMOUNT = { type: 'number', role: 'measure', scale: 3, currencyColumn: 'currency' } as const
const money = (name: string, from: string): RecordColumn => ({ ...AMOUNT, name, from: `${from}.shopMoney.amount` })
const currency = (from: string): RecordColumn => ({ name: 'currency', from, type: 'text', role: 'currency' })

/** `gid://shopify/Order/450789469` is the number that people know. */
function plainId(value: unknown): unknown {
  return typeof value === 'string' ? value.slice(value.lastIndexOf('/') + 1) : value
}

const SHOP_MONEY = '{ shopMoney { amount } }'

export const SHOPIFY_LISTS: readonly ShopifyList[] = [
  {
    ...{ key: 'orders', label: 'Orders', root: 'orders', pageSize: 50, sortsByChange: true },
    selection: `id name createdAt processedAt updatedAt cancelledAt cancelReason test currencyCode sourceName
      displayFinancialStatus displayFulfillmentStatus customer { id } subtotalPriceSet ${SHOP_MONEY}
      totalDiscountsSet ${SHOP_MONEY} totalShippingPriceSet ${SHOP_MONEY} totalTaxSet ${SHOP_MONEY}
      totalPriceSet ${SHOP_MONEY} currentTotalPriceSet ${SHOP_MONEY} totalRefundedSet ${SHOP_MONEY}`,
    columns: [
      ...[id('id', 'id'), text('order', 'name'), moment('created', 'createdAt'), moment('processed', 'processedAt')],
      ...[moment('updated', 'updatedAt'), moment('cancelled', 'cancelledAt'), text('cancel_reason', 'cancelReason')],
      ...[id('customer', 'customer.id'), text('payment', 'displayFinancialStatus')],
      ...[text('fulfilment', 'displayFulfillmentStatus'), text('channel', 'sourceName'), yes('test', 'test')],
      ...[currency('currencyCode'), money('subtotal', 'subtotalPriceSet'), money('discounts', 'totalDiscountsSet')],
      ...[money('shipping', 'totalShippingPriceSet'), money('tax', 'totalTaxSet'), money('total', 'totalPriceSet')],
      ...[money('current_total', 'currentTotalPriceSet'), money('refunded', 'totalRefundedSet')],
    ],
  },
  {
    ...{ key: 'order_lines', label: 'Order lines', root: 'orders', pageSize: 8, sortsByChange: true },
    selection: 'id name createdAt processedAt cancelledAt test currencyCode',
    nested: {
      ...{ field: 'lineItems', pages: true, size: 10 },
      selection: `id title variantTitle sku vendor quantity currentQuantity product { id } variant { id }
        originalUnitPriceSet ${SHOP_MONEY} totalDiscountSet ${SHOP_MONEY} discountedTotalSet ${SHOP_MONEY}`,
    },
    columns: [
      ...[id('id', 'id'), id('order_id', 'parent.id'), text('order', 'parent.name')],
      ...[moment('created', 'parent.createdAt'), moment('processed', 'parent.processedAt')],
      ...[moment('cancelled', 'parent.cancelledAt'), yes('test', 'parent.test')],
      ...[id('product', 'product.id'), id('variant', 'variant.id'), text('title', 'title')],
      ...[text('variant_title', 'variantTitle'), text('sku', 'sku'), text('vendor', 'vendor')],
      ...[count('quantity', 'quantity'), count('current_quantity', 'currentQuantity')],
      ...[currency('parent.currencyCode'), money('unit_price', 'originalUnitPriceSet')],
      ...[money('discount', 'totalDiscountSet'), money('total', 'discountedTotalSet')],
    ],
  },
  {
    ...{ key: 'refunds', label: 'Refunds', root: 'orders', pageSize: 10, sortsByChange: true },
    selection: 'id name currencyCode',
    filter: '(financial_status:refunded OR financial_status:partially_refunded)',
    nested: { field: 'refunds', pages: false, size: 50, selection: `id createdAt totalRefundedSet ${SHOP_MONEY}` },
    columns: [
      ...[id('id', 'id'), id('order_id', 'parent.id'), text('order', 'parent.name'), moment('created', 'createdAt')],
      ...[currency('parent.currencyCode'), money('amount', 'totalRefundedSet')],
    ],
  },
  {
    ...{ key: 'products', label: 'Products', root: 'products', pageSize: 100, sortsByChange: true },
    selection: 'id title handle vendor productType status totalInventory createdAt updatedAt publishedAt',
    columns: [
      ...[id('id', 'id'), text('title', 'title'), text('handle', 'handle'), text('vendor', 'vendor')],
      ...[text('type', 'productType'), text('status', 'status'), count('inventory', 'totalInventory')],
      ...[moment('created', 'createdAt'), moment('updated', 'updatedAt'), moment('published', 'publishedAt')],
    ],
  },
  {
    ...{ key: 'variants', label: 'Product variants', root: 'productVariants', pageSize: 100, sortsByChange: false },
    selection: 'id title sku price inventoryQuantity product { id title } createdAt updatedAt',
    columns: [
      ...[id('id', 'id'), id('product', 'product.id'), text('product_title', 'product.title'), text('title', 'title')],
      ...[text('sku', 'sku'), { name: 'price', from: 'price', type: 'number', role: 'measure', scale: 3 } as const],
      ...[count('inventory', 'inventoryQuantity'), moment('created', 'createdAt'), moment('updated', 'updatedAt')],
    ],
  },
  {
    ...{ key: 'customers', label: 'Customers', root: 'customers', pageSize: 100, sortsByChange: true },
    selection: 'id displayName numberOfOrders amountSpent { amount currencyCode } state createdAt updatedAt',
    columns: [
      ...[id('id', 'id'), text('name', 'displayName'), text('state', 'state')],
      { ...count('orders', 'numberOfOrders'), convert: (_value, record) => Number(valueAt(record, 'numberOfOrders')) },
      ...[currency('amountSpent.currencyCode'), { ...AMOUNT, name: 'spent', from: 'amountSpent.amount' }],
      ...[moment('created', 'createdAt'), moment('updated', 'updatedAt')],
    ],
  },
]

/** The query of a page of a list: variables `first`, `after`, `query`, and those of what is nested. */
export function pageQuery({ root, selection, nested, sortsByChange }: ShopifyList, byChange: boolean): string {
  const sort = byChange && sortsByChange ? 'UPDATED_AT' : 'ID'
  const parts = nested === undefined ? '' : nestedSelection(nested)
  return `query Page($first: Int!, $after: String, $query: String${nested ? ', $parts: Int!' : ''}) {
    ${root}(first: $first, after: $after, query: $query, sortKey: ${sort}) {
      edges { cursor node { ${selection} ${parts} } }
      pageInfo { hasNextPage }
    }
  }`
}

const nestedSelection = ({ field, selection, pages }: NonNullable<ShopifyList['nested']>): string =>
  pages
    ? `${field}(first: $parts) { nodes { ${selection} } pageInfo { hasNextPage endCursor } }`
    : `${field}(first: $parts) { ${selection} }`

/** The query of further parts of one object: variables `id`, `parts`, `after`. */
export const partsQuery = ({ selection, nested }: ShopifyList): string =>
  `query Parts($id: ID!, $parts: Int!, $after: String) {
    order(id: $id) {
      ${selection}
      ${nested?.field ?? ''}(first: $parts, after: $after) {
        nodes { ${nested?.selection ?? ''} } pageInfo { hasNextPage endCursor }
      }
    }
  }`
