import { expect, it } from 'vitest'
import { sharedRights } from './shared-rights'
import { FULL_RIGHTS, type DataRights } from '../../scope'

const field = (column: `c${number}`) => ({ dataset: 'one', column })
const LIMITED: DataRights = {
  ...FULL_RIGHTS,
  datasets: ['one', 'two'],
  hiddenDatasets: ['three'],
  rowFilters: [{ dataset: 'one', anyOf: [], noneOf: [] }],
  hidden: [field('c1')],
  masked: [{ field: field('c2'), mask: 'bucket' }],
  hiddenMetrics: ['metric'],
}

it('are those of the one where the other sees everything', () => {
  expect(sharedRights(FULL_RIGHTS, FULL_RIGHTS)).toEqual(FULL_RIGHTS)
  expect(sharedRights(FULL_RIGHTS, LIMITED)).toEqual(LIMITED)
  expect(sharedRights(LIMITED, FULL_RIGHTS)).toEqual(LIMITED)
})

it('leave out what rules of either leave out, and all of a value of which each sees another part', () => {
  const other: DataRights = {
    ...FULL_RIGHTS,
    datasets: ['two', 'four'],
    rowFilters: [{ dataset: 'one', anyOf: 'all', noneOf: [] }],
    hidden: [field('c1'), field('c3')],
    masked: [{ field: field('c2'), mask: 'lastFour' }],
    hiddenCategories: ['category'],
  }
  expect(sharedRights(LIMITED, other)).toEqual({
    ...{ datasets: ['two'], hiddenDatasets: ['three'], hiddenSources: [], hiddenMetrics: ['metric'] },
    rowFilters: [...LIMITED.rowFilters, ...other.rowFilters],
    hidden: [field('c1'), field('c3')],
    masked: [{ field: field('c2'), mask: 'empty' }],
    hiddenCategories: ['category'],
  })
})
