import { expect, it } from 'vitest'
import { findingMemberName, opensSentence } from './findings'

const named = (label: string, value: string | number | boolean | null): string =>
  findingMemberName({ dimension: 'd', label, value })

it('names a code with its column, and every other value without', () => {
  expect(named('Series', 'L')).toBe('Series L')
  expect(named('Customer no', 'C001')).toBe('Customer no C001')
  expect(named('ShipVia', '3')).toBe('ShipVia 3')
  expect(named('ShipVia', 3)).toBe('ShipVia 3')
  expect(named('ShipVia', null)).toBe('ShipVia is empty')
  expect(named('Country', 'SE')).toBe('SE')
  expect(named('Company', 'Åre & Co')).toBe('Åre & Co')
  expect(named('Band', 'A\nB')).toBe('A\nB')
})

it('begins a sentence with a capital letter of the column, and leaves values as they are written', () => {
  const member = (label: string, value: string) => ({ dimension: 'd', label, value })
  expect(findingMemberName(member('account', '3010'), true)).toBe('Account 3010')
  expect(findingMemberName(member('account', '3010'))).toBe('account 3010')
  expect(findingMemberName(member('company', 'eBay'), true)).toBe('eBay')
  const parts = [{ text: 'Costs rose. ' }, { member: member('account', '3010') }, { text: ' accounts for some' }]
  expect(parts.map((_, at) => opensSentence(parts, at))).toEqual([true, true, false])
  const apart = [{ text: 'Costs rose.' }, { text: ' ' }, { member: member('account', '3010') }]
  expect(opensSentence(apart, 2)).toBe(true)
  expect(opensSentence([{ text: 'Costs for ' }, { member: member('account', '3010') }], 1)).toBe(false)
})
