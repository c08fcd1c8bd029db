import { expect, it } from 'vitest'
import { queryNames, tableWithNames } from './member-names'
import type { Contribution } from '../../shared/findings'
import type { ResultColumn } from '../../shared/query/result'

const FIELD = { dataset: 'ds_accounts', column: 'c3' } as const
const NAMES = { 3010: 'Sales (3010)', 3020: 'Sales (3020)', 5010: 'Rent' }
const column: ResultColumn = {
  ...{ key: 'd0', label: 'name', kind: 'dimension', type: 'text', format: { style: 'plain' } },
  names: { key: 'account', of: NAMES },
}

it('tells members by number and name, and those without a name as they stand', async () => {
  const names = await queryNames({ answer: () => Promise.resolve({ columns: [column] }) }, [
    { key: 'account', names: { key: FIELD, name: FIELD } },
    { key: 'region' },
  ])
  const line = (member: string): Contribution => ({ member, previous: null, value: null, change: '1' })
  const table = { dimension: 'account', label: 'account', lines: [line('3010'), line('5010'), line('9999')] }
  expect(tableWithNames(table, names).lines.map(({ name }) => name)).toEqual(['Sales', 'Rent', undefined])
  expect(tableWithNames({ ...table, dimension: 'region' }, names).lines).toEqual(table.lines)
})
