import { expect, it } from 'vitest'
import { datasetOptions } from './dataset-choices'
import { CUSTOMERS, ORDERS } from './samples'

it('tells tables of the same name apart by their source', () => {
  const of = (id: string, sourceName: string) => ({ ...ORDERS, id, sourceId: sourceName, sourceName, name: 'Entries' })
  const books = (company: string) => [of(`${company}1`, company), { ...of(`${company}2`, company), name: 'Accounts' }]
  const alone = { ...CUSTOMERS, sourceId: 'src_c', sourceName: 'Customers' }
  expect(datasetOptions([...books('Ek AB'), alone, ...books('Al AB')])).toEqual([
    {
      group: 'Ek AB',
      items: [
        { value: 'Ek AB1', label: 'Entries' },
        { value: 'Ek AB2', label: 'Accounts' },
      ],
    },
    { value: CUSTOMERS.id, label: 'Customers' },
    {
      group: 'Al AB',
      items: [
        { value: 'Al AB1', label: 'Entries' },
        { value: 'Al AB2', label: 'Accounts' },
      ],
    },
  ])
})
