import { expect, it } from 'vitest'
import type { ColumnVectors } from './column-vectors'
import { MEMORY } from './memory'
import { textSplit } from './splits'
import { dictionaryTexts } from './texts/text-vectors'
import { column, tableOf } from '../../../test/worker/warehouse-rows'

it('numbers the rows of a chunk by their texts, though a longer one was read before', () => {
  const text = column(0, { type: 'text' })
  const codes = Int32Array.from([2, 1, 2, 1])
  const nothing = (): never => {
    throw new Error('Only texts are read.')
  }
  const vectors: ColumnVectors = {
    ...{ column: text, dataset: tableOf([text], []), isOwn: true },
    ...{ numbers: nothing, wall: nothing, days: nothing, codes: () => () => codes, words: () => ['a', 'b'] },
    texts: () =>
      dictionaryTexts(
        () => () => codes,
        () => ['a', 'b'],
      ),
  }
  const to = new Int32Array(2)
  textSplit(vectors, MEMORY).fill({ chunk: 1, rows: 2 }, 0, to)
  expect([...to]).toEqual([2, 1])
})
