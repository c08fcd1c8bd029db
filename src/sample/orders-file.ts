import { isoFromDay } from './days'
import type { OrderLine } from './orders'
import { formatKronor } from './sie-writer'

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
export function writeOrdersCsv(orders: readonly OrderLine[]): Uint8Array {
  const lines = orders.map(({ customer, product, ...line }) =>
    [
      isoFromDay(line.day),
      line.orderNumber,
      customer.number,
      product.name,
      product.group,
      line.quantity,
      formatDecimalComma(line.unitPrice),
      formatDecimalComma(line.amount),
      formatDecimalComma(line.cost),
      customer.country,
      customer.region,
      customer.salesperson,
    ].join(';'),
  )
  // Every sign of the names is in Latin-1, where windows-1252 is the same.
  return Uint8Array.from(`${[HEADER.join(';'), ...lines].join('\r\n')}\r\n`, (sign) => sign.charCodeAt(0))
}

const formatDecimalComma = (amount: number): string => formatKronor(amount).replace('.', ',')
