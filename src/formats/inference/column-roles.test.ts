import { describe, expect, it } from 'vitest'
import { inferRole } from './column-roles'
import { collectColumnStats } from './column-types'
import { isCurrencyCode } from '../../shared/data-sources/currency-codes'

const NUMBERS = collectColumnStats(['10248', '10249', '10250'], isCurrencyCode)
const roles = (labels: string[]): string[] => labels.map((label) => inferRole('integer', label, NUMBERS))
const all = (labels: string[], role: string): string[] => labels.map(() => role)

it('is a currency where codes are in small letters, as long as the heading says so', () => {
  const codes = collectColumnStats(['sek', 'eur', 'sek'], isCurrencyCode)
  expect(inferRole('text', 'Customer Facing Currency', codes)).toBe('currency')
  expect(inferRole('text', 'Valuta', codes)).toBe('currency')
  expect(inferRole('text', 'Ord', codes)).toBe('dimension')
  expect(inferRole('text', 'Currency', collectColumnStats(['sek', 'und'], isCurrencyCode))).toBe('dimension')
})

describe('what whole numbers are for', () => {
  it('is to tell things apart where the heading names what is numbered', () => {
    const labels = [
      ...['Faktura', 'Ordernr', 'Kundnr', 'invoice no', 'Order', 'order_id', 'OrderID', 'orderid', 'Kundnummer'],
      ...['order_id (metadata)', 'merchant_reference1', 'Kundnr (intern)'],
      ...['Customer', 'CustomerNo', 'Artikelnummer', 'Verifikat', 'OCR', 'Invoice Number', 'ref', 'Leverantörsnr'],
    ]
    expect(roles(labels)).toEqual(all(labels, 'id'))
  })

  it('is to be added up where the heading counts or values', () => {
    const labels = [
      ...['Antal order', 'Order value', 'Number of orders', 'Orders', 'Pris per artikel', 'Invoice amount', 'Paid'],
      ...['Unpaid', 'Sålda', 'Lager', 'Summa faktura', 'Avoid', 'Quantity', 'Belopp'],
      ...['Number (count)', 'Order (antal)', 'Ref (sum)'],
      ...['Sales this year', 'Försäljning förra året', 'Belopp per konto', 'Price per week', 'Cost per code'],
    ]
    expect(roles(labels)).toEqual(all(labels, 'measure'))
  })

  it('is to tell things apart where each number comes once and hardly one is left out', () => {
    const numbered = (step: number) =>
      collectColumnStats(
        Array.from({ length: 30 }, (_, n) => String(500 + n * step)),
        isCurrencyCode,
      )
    expect(inferRole('integer', 'Besök', numbered(1))).toBe('id')
    expect(inferRole('integer', 'Antal besök', numbered(1))).toBe('measure')
    expect(inferRole('integer', 'Besök', numbered(7))).toBe('measure')
    expect(inferRole('integer', 'Besök', NUMBERS)).toBe('measure')
  })

  it('is to tell things apart where a letter before id is all that the heading says, and the numbers count', () => {
    expect(inferRole('integer', 'uid', NUMBERS)).toBe('id')
    expect(inferRole('integer', 'bid', collectColumnStats(['120', '4500', '310'], isCurrencyCode))).toBe('measure')
  })

  it('is to sort by where they are codes', () => {
    const labels = [
      'Konto',
      'Postnr ort kod',
      'Year',
      'Account',
      'Zip',
      'ShipVia',
      'Status',
      'Week of year',
      'Cost code',
    ]
    expect(roles(labels)).toEqual(all(labels, 'dimension'))
  })
})
