import { expect, it } from 'vitest'
import { findingMemberName } from './findings'

const named = (label: string, value: string | number | boolean | null): string =>
  findingMemberName({ dimension: 'd', label, value })

it('names what says nothing by itself with its column, and everything else as it is called', () => {
  expect(named('Series', 'L')).toBe('Series L')
  expect(named('Customer no', 'C001')).toBe('Customer no C001')
  expect(named('ShipVia', '3')).toBe('ShipVia 3')
  expect(named('ShipVia', 3)).toBe('ShipVia 3')
  expect(named('ShipVia', null)).toBe('ShipVia is empty')
  expect(named('Country', 'SE')).toBe('SE')
  expect(named('Company', 'Åre & Co')).toBe('Åre & Co')
  expect(named('Band', 'A\nB')).toBe('A\nB')
})
