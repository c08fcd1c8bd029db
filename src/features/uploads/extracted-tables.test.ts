import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { ExtractedTables } from './extracted-tables'
import { readObject } from '../../lib/compressed-object'
import { OutputBudget } from './output-budget'
import { unique } from '../../../test/worker/factories'

const KB = 1024
const keys = async (prefix: string): Promise<string[]> =>
  (await env.FILES.list({ prefix })).objects.map(({ key }) => key)

function tablesOf(prefix: string) {
  const turns: number[] = []
  let made = 0
  const stored = new ExtractedTables({
    files: env.FILES,
    nextKey: () => `${prefix}/${++made}`,
    budget: new OutputBudget(1_000_000),
    offerTurn(bytes) {
      turns.push(bytes)
      return Promise.resolve()
    },
  })
  return { stored, sink: stored.sink('xlsx'), turns }
}

it('lets others have their turn between pieces of the text of rows that came at once, and of what goes to the store', async () => {
  const { stored, sink, turns } = tablesOf(unique('pieces'))
  const rows = sink.table({ name: 'Long' })
  for (let n = 0; n < 300; n++) rows.add(['x'.repeat(32 * KB)], n)
  await sink.flush()
  expect(Math.max(...turns)).toBeLessThan((256 + 33) * KB)
  expect(
    turns.reduce((sum, bytes) => sum + bytes, 0),
    'made, and one part sent',
  ).toBeGreaterThan((9.3 + 5) * KB * KB)
  const { tables } = await stored.finish()
  const stream = (await readObject(env.FILES, tables[0]?.object.objectKey ?? ''))?.body
  const text = await new Response(stream).text()
  expect(text).toBe(Array.from({ length: 300 }, (_, n) => `${n},${'x'.repeat(32 * KB)}\n`).join(''))
  await stored.discard()
})

it('stores a table as soon as all of its rows came, and lets go of it with the others', async () => {
  const prefix = unique('complete')
  const { stored, sink } = tablesOf(prefix)
  const [first, second] = [sink.table({ name: 'One' }), sink.table({ name: 'Two' })]
  first.add(['a'], 1)
  second.add(['b'], 1)
  await sink.flush()
  expect(await keys(prefix)).toEqual([])
  first.describe({ hints: [{ index: 1, label: 'Never filled' }] })
  await sink.flush()
  expect(await keys(prefix)).toEqual([`${prefix}/1`])
  second.describe({})
  const { tables } = await stored.finish()
  expect(tables.map(({ info, object }) => [info.columnCount, object.size])).toEqual([
    [2, 4],
    [1, 4],
  ])
  await stored.discard()
  expect(await keys(prefix)).toEqual([])
})
