import { expect, it } from 'vitest'
import { findingMemberName, memberInSentence, namesMember, opensSentence } from './findings'

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
  expect(findingMemberName(member('account', '3010'), { opens: true })).toBe('Account 3010')
  expect(findingMemberName(member('account', '3010'))).toBe('account 3010')
  expect(findingMemberName(member('company', 'eBay'), { opens: true })).toBe('eBay')
  const parts = [{ text: 'Costs rose. ' }, { member: member('account', '3010') }, { text: ' accounts for some' }]
  expect(parts.map((_, at) => opensSentence(parts, at))).toEqual([true, true, false])
  const apart = [{ text: 'Costs rose.' }, { text: ' ' }, { member: member('series', 'F') }]
  expect(opensSentence(apart, 2), 'after a blank that stands by itself').toBe(true)
  expect(opensSentence([{ figure: 5, format: 'count' as const }, { text: ' ' }, ...apart.slice(2)], 2)).toBe(false)
  expect(opensSentence([{ text: 'Costs for ' }, { member: member('account', '3010') }], 1)).toBe(false)
})

it('tells a property of rows with its column, unless the sentence names that', () => {
  expect(named('Parcel Size', 'Large')).toBe('Parcel Size: Large')
  expect(named('Kundtyp', 'Privat')).toBe('Kundtyp: Privat')
  expect(named('Statement', 'Large')).toBe('Large')
  const large = { dimension: 'd', label: 'size', value: 'Large' }
  const sales = [{ text: 'Sales for ' }, { member: large }, { text: ' fell' }]
  expect(memberInSentence(sales, 1, large)).toBe('size: Large')
  expect(memberInSentence([{ member: large }, { text: ' accounts for it' }], 0, large)).toBe('Size: Large')
  expect(memberInSentence([{ member: large }, { text: ', largest fall in size: Sales fell' }], 0, large)).toBe('Large')
})

it('tells a number of something with its name', () => {
  expect(findingMemberName({ dimension: 'd', label: 'account', value: '3010', name: 'Försäljning' })).toBe(
    '3010 Försäljning',
  )
})

it('names a member by a table of the whole where it moved the same way; what did not move moved nothing', () => {
  const line = (change: string) => ({ member: 'North', previous: null, value: null, change })
  const named = (whole: string, own: string): boolean =>
    namesMember(
      { contributions: [{ dimension: 'd', label: 'Region', lines: [line(whole)] }] },
      {
        member: { dimension: 'd', label: 'Region', value: 'North' },
        effect: { value: '1', previous: '1', change: own, percent: null },
      },
    )
  expect([named('-2', '-1'), named('-2', '1'), named('0', '0')]).toEqual([true, false, false])
})
