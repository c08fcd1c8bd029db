import { describe, expect, it } from 'vitest'
import { labelsOf, openFile } from '../../../test/suites/open-file'
import { nameMatchScore } from '../../warehouse/relations/name-matching'
import { jsonReader } from '../json/json-reader'

const tablesOf = async (name: string, text: string) =>
  (await openFile(jsonReader, { name, bytes: new TextEncoder().encode(text) })).tables

describe('keys between a table and the lists inside it', () => {
  it.each([
    ['orders.json', '[{"id":1,"lines":[{"id":7,"parts":[{"p":1}]}]},{"id":2,"lines":[{"id":8,"parts":[{"p":1}]}]}]'],
    ['orders-2026-01.json', '[{"id":1,"lines":[{"id":7,"parts":[{"p":1}]}]}]'],
    ['orders.json', '[{"a":1,"lines":[{"b":7,"parts":[{"p":1}]}]}]'],
    ['2026.json', '[{"a":1,"lines":[{"b":7,"parts":[{"p":1}]}]}]'],
  ])('are called so that the relation is proposed: %s %s', async (name, text) => {
    const [root, lines, parts] = await tablesOf(name, text)
    for (const [child, parent] of [
      [lines, root],
      [parts, lines],
    ] as const) {
      if (!child || !parent) throw new Error('a table is missing')
      const from = { dataset: child.name, label: labelsOf(child)[0] ?? '' }
      const to = labelsOf(parent).filter((label) => nameMatchScore(from, { dataset: parent.name, label }) > 0)
      expect(to).toHaveLength(1)
    }
  })

  it('are called the same for every month', async () => {
    const text = '[{"id":1,"lines":[{"b":7}]}]'
    const [january] = (await tablesOf('orders-2026-01.json', text)).slice(1)
    const [february] = (await tablesOf('orders-2026-02.json', text)).slice(1)
    if (!january || !february) throw new Error('a table is missing')
    expect(labelsOf(january)).toEqual(['order_id', 'b'])
    expect(labelsOf(february)).toEqual(['order_id', 'b'])
  })
})
