import { describe, expect, it } from 'vitest'
import { inferColumns } from './infer-columns'
import { currencyInLabel } from './label-currency'

describe('the currency in a heading', () => {
  it.each([
    ['Belopp (EUR)', 'EUR'],
    ['Amount USD', 'USD'],
    ['Belopp i SEK', 'SEK'],
    ['SEK', 'SEK'],
    ['Summa (kr)', 'SEK'],
    ['Pris [€]', 'EUR'],
    ['Omsättning €', 'EUR'],
    ['net_amount_gbp', 'GBP'],
    ['Total (TRY)', 'TRY'],
    ['Belopp (NOK) inkl. moms', 'NOK'],
  ])('is found in %s', (label, code) => expect(currencyInLabel(label)).toBe(code))

  it.each([
    ...['Belopp', 'Sum TRY', 'TRY count', 'Kurs EUR', 'EUR/SEK', 'USD to EUR', 'Exchange rate (USD)', 'Antal (EUR)'],
    ...[
      'Andel % EUR',
      'Valuta',
      'sek',
      'Paid in usd',
      'Sum (net)',
      'PEN',
      'Amount (ABC)',
      'constructor',
      '__proto__',
      '',
    ],
  ])('is not guessed from %s', (label) => expect(currencyInLabel(label)).toBeNull())

  it('is the format of amounts alone, and gives way to the one in the cells', () => {
    const labels = ['Order nr', 'Belopp (EUR)', 'Antal', 'Pris USD', 'Datum (SEK)', 'Valuta EUR']
    const rows = [
      ['1', '10,50', '3', '12 kr', '2026-01-01', 'a'],
      ['2', '11,00', '4', '14 kr', '2026-01-02', 'b'],
    ]
    const { columns } = inferColumns(rows, labels, { given: {}, comma: true })
    expect(columns.map(({ column: { format } }) => ('currency' in format ? format.currency : format.style))).toEqual([
      ...['plain', 'EUR', 'plain', 'SEK', 'plain', 'plain'],
    ])
  })

  it('is none of the rates of a table of rates, whose headings are nothing but codes', () => {
    const labels = ['Date', 'USD', 'SEK', 'EUR/NOK', 'Amount EUR']
    const rows = [
      ['2026-01-01', '1.09', '11.4', '0.98', '12.00'],
      ['2026-01-02', '1.10', '11.5', '0.99', '13.00'],
    ]
    const { columns } = inferColumns(rows, labels, { given: {}, comma: false })
    const formats = columns.map(({ column: { format } }) => ('currency' in format ? format.currency : format.style))
    expect(formats).toEqual(['plain', 'plain', 'plain', 'plain', 'EUR'])
  })
})
