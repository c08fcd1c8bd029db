import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountOf, formatMoney } from './money'
import { ADD_ONS, PREMIUM_SYNC_ADD_ONS, PLANS } from '../../src/shared/billing/plans'

const plain = (text: string): string => text.replace(/\s/g, ' ')
const digits = (text: string): number => Number(text.replace(/\D/g, ''))

it.each([
  [{ minor: 19_500, currency: 'eur' }, 'sv-SE', '195,00 €'],
  [{ minor: 850, currency: 'eur' }, 'en-GB', '€8.50'],
  [{ minor: 1_995_000, currency: 'sek' }, 'sv-SE', '19 950,00 kr'],
  [{ minor: -1_234, currency: 'eur' }, 'de-DE', '-12,34 €'],
  [{ minor: 500, currency: 'jpy' }, 'en-GB', '¥500'],
  [{ minor: 0, currency: 'eur' }, 'en-GB', '€0.00'],
])('writes %o in %s as people there do, in one form', (amount, locale, expected) => {
  expect(plain(formatMoney(amount, locale))).toBe(expected)
})

it('shows every minor unit that is charged, and no other', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 ** 12 }),
      fc.constantFrom('eur', 'sek', 'jpy'),
      fc.constantFrom('sv-SE', 'de-DE', 'en-GB'),
      (minor, currency, locale) => {
        expect(digits(formatMoney({ minor, currency }, locale))).toBe(minor)
      },
    ),
  )
})

it('knows the price of everything that is sold, in minor units', () => {
  const sold = [...PLANS, ...ADD_ONS, ...PREMIUM_SYNC_ADD_ONS].flatMap(({ prices }) => [prices.monthly, prices.yearly])
  for (const price of sold) {
    const amount = amountOf(price, 3)
    if (price.amount === null) expect(amount).toBeNull()
    else expect((amount?.minor ?? 0) / 300).toBeCloseTo(price.amount, 10)
  }
})
