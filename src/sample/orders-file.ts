import { isoOf } from './days'
import type { OrderLine } from './orders'
import { kronor } from './sie-writer'

const HEADER = [
  'Order date',
  'Order no',
  'Customer no',
  'Product',
  'Product group',
  'Quantity',
  'Unit price',
  'Amount',
  'Cost',
  'Country',
  'Region',
  'Salesperson',
]

/** Orders as a Swedish program exports them: semicolons, decimal commas, windows-1252, Windows line ends. */
export function ordersFile(orders: readonly OrderLine[]): Uint8Array {
  const lines = orders.map(({ customer, product, ...line }) =>
    [
      isoOf(line.day),
      line.orderNumber,
      customer.number,
      product.name,
      product.group,
      line.quantity,
      comma(line.unitPrice),
      comma(line.amount),
      comma(line.cost),
      customer.country,
      customer.region,
      customer.salesperson,
    ].join(';'),
  )
  // Every sign of the names is in Latin-1, where windows-1252 is the same.
  return Uint8Array.from(`${[HEADER.join(';'), ...lines].join('\r\n')}\r\n`, (sign) => sign.charCodeAt(0))
}

const comma = (amount: number): string => kronor(amount).replace('.', ',')
