import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { column, warehouse } from '../../../test/worker/warehouse-driver'
import { seedOf } from '../../../test/seed'
import { unwrap } from '../../shared/errors'
import type { CreateRelationInput, Relation } from '../../shared/relations'
import type { StorageValue } from '../../lib/storage-value'

const ENTRIES = [column(0, 'text', 'company'), column(1, 'integer', 'account'), column(2, 'integer', 'entry')]
const ACCOUNTS = [column(0, 'integer', 'account'), column(1, 'text', 'company'), column(2, 'text', 'name')]
const CHART: StorageValue[][] = [
  [3000, 'A', 'Sales'],
  [3000, 'B', 'Sales'],
  [4000, 'A', 'Goods'],
  [4000, 'B', 'Goods'],
]
const BOOKED: StorageValue[][] = [
  ['A', 3000, 1],
  ['A', 3000, 2],
  ['A', 4000, 3],
  ['B', 3000, 4],
]

async function books(chart = CHART, booked = BOOKED) {
  const w = warehouse()
  const load = async (datasetName: string, columns: typeof ENTRIES, rows: StorageValue[][], datasetId?: string) =>
    (await w.load({ datasetName, columns, rows, ...(datasetId ? { datasetId, mode: 'replace' as const } : {}) }))
      .datasetId
  const accounts = await load('accounts', ACCOUNTS, chart)
  const entries = await load('entries', ENTRIES, booked)
  const list = async (scope = w.scope): Promise<Relation[]> => unwrap(await w.stub().relations(scope, {}))
  const input: CreateRelationInput = {
    from: { datasetId: entries, key: 'c1' },
    to: { datasetId: accounts, key: 'c0' },
    further: [{ from: 'c0', to: 'c1' }],
  }
  const create = (more: Partial<CreateRelationInput> = {}) =>
    w.stub().createRelation(w.scope, { id: 'rel_00000000000000000009', ...input, ...more })
  return { w, load, accounts, entries, list, create }
}

describe('a key of several columns', () => {
  it('is proposed where no column alone is one, whichever side comes last', async () => {
    const { list, accounts, entries, load } = await books()
    const wanted = {
      from: { datasetId: entries, key: 'c0', label: 'company' },
      to: { datasetId: accounts, key: 'c1', label: 'company' },
      further: [{ from: { key: 'c1', label: 'account' }, to: { key: 'c0', label: 'account' } }],
      ...{ state: 'proposed', proof: { fromRows: 4, matchedRows: 4, toRows: 4, duplicateKeys: 0, oneToOne: false } },
    }
    const [before, ...others] = await list()
    expect([before, others]).toMatchObject([wanted, []])
    await load('accounts', ACCOUNTS, [...CHART, [5000, 'A', 'Rent']], accounts)
    expect(await list()).toMatchObject([{ ...wanted, id: before?.id, proof: { toRows: 5 } }])
  })

  it('is not proposed where one column is a key, rows do not match, or something joins the two already', async () => {
    const [alone] = await (
      await books(
        [
          [3000, 'A', 'Sales'],
          [4000, 'B', 'Goods'],
        ],
        [
          ['A', 3000, 1],
          ['B', 4000, 2],
        ],
      )
    ).list()
    expect(alone?.further).toBeUndefined()
    const far = BOOKED.map(([company, account, entry]) => [company ?? null, Number(account) + 1, entry ?? null])
    expect(await (await books(CHART, far)).list()).toEqual([])
    const { w, list, load, accounts } = await books()
    const [{ id, version } = { id: '', version: 0 }] = await list()
    unwrap(await w.stub().updateRelation(w.scope, { id, version, state: 'dismissed' }))
    await load('accounts', ACCOUNTS, [...CHART, [5000, 'A', 'Rent']], accounts)
    expect(await list()).toMatchObject([{ id, state: 'dismissed' }])
  })

  it('is made by hand in any order of its pairs, and is the same one', async () => {
    const { create, list, entries, accounts } = await books()
    const [proposed] = await list()
    const made = unwrap(await create())
    expect(made).toMatchObject({ id: proposed?.id, state: 'confirmed', from: { key: 'c0' } })
    const turned = unwrap(
      await create({
        from: { datasetId: entries, key: 'c0' },
        to: { datasetId: accounts, key: 'c1' },
        further: [{ from: 'c1', to: 'c0' }],
      }),
    )
    expect([turned.id, (await list()).length]).toEqual([made.id, 1])
  })

  it('is refused where rows share it, columns come twice, or types differ', async () => {
    const { create } = await books([...CHART, [4000, 'B', 'Again']])
    expect(await create()).toMatchObject({
      ok: false,
      error: { details: { fields: { 'to.key': expect.stringContaining('1 value is in several rows') } } },
    })
    const twice = await create({ further: [{ from: 'c1', to: 'c1' }] })
    expect(twice).toMatchObject({ ok: false, error: { details: { fields: { further: 'Use each column once.' } } } })
    const far = await create({ further: [{ from: 'c0', to: 'c9' }] })
    expect(far).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })

  it('breaks with a load that puts two rows under it, and heals', async () => {
    const { create, list, load, accounts } = await books()
    unwrap(await create())
    await load('accounts', ACCOUNTS, [...CHART, [4000, 'B', 'Again']], accounts)
    expect(await list()).toMatchObject([{ state: 'broken', proof: { duplicateKeys: 1 } }])
    await load('accounts', ACCOUNTS, CHART.slice(0, 3), accounts)
    expect(await list()).toMatchObject([{ state: 'confirmed', proof: { duplicateKeys: 0, toRows: 3 } }])
  })

  it('does not exist for a scope that may not see one of its columns', async () => {
    const { w, create, list, accounts, entries } = await books()
    unwrap(await create())
    expect(await list()).toHaveLength(1)
    for (const hidden of [
      { dataset: accounts, column: 'c0' as const },
      { dataset: entries, column: 'c0' as const },
    ])
      expect(await list({ ...w.scope, hidden: [hidden] })).toEqual([])
  })

  it('stands beside one of its columns alone', async () => {
    const { w, create, list, accounts, entries, load } = await books()
    unwrap(await create())
    await load(
      'accounts',
      ACCOUNTS,
      [
        [3000, 'A', 'Sales'],
        [4000, 'B', 'Goods'],
      ],
      accounts,
    )
    const single = { from: { datasetId: entries, key: 'c0' as const }, to: { datasetId: accounts, key: 'c1' as const } }
    unwrap(await w.stub().createRelation(w.scope, { id: 'rel_00000000000000000008', ...single }))
    // What is proposed by names alone stands beside them.
    const confirmed = (await list()).filter(({ state }) => state === 'confirmed')
    const lengths = confirmed.map(({ further }) => further?.length ?? 0)
    expect(lengths.toSorted((a, b) => a - b)).toEqual([0, 1])
  })

  it('is proven as its cells say: a key with an empty part is none', async () => {
    const cell = fc.option(fc.integer({ min: 1, max: 3 }), { freq: 5, nil: null })
    const rowsOf = (length: number) => fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: length })
    const { create, load, entries, accounts, list } = await books()
    unwrap(await create())
    const keyOf = (...parts: StorageValue[]): string[] => (parts.includes(null) ? [] : [parts.join(' ')])
    for (const [from, to] of fc.sample(fc.tuple(rowsOf(12), rowsOf(6)), { numRuns: 12, seed: seedOf(false) })) {
      await load(
        'accounts',
        ACCOUNTS,
        to.map(([a, b, c]) => [a, b === null ? null : String(b), String(c)]),
        accounts,
      )
      await load(
        'entries',
        ENTRIES,
        from.map(([a, b, c]) => [a === null ? null : String(a), b, c]),
        entries,
      )
      const [many, one] = [from.flatMap(([a, b]) => keyOf(a, b)), to.flatMap(([a, b]) => keyOf(b, a))]
      const duplicates = new Set(one.filter((key, at) => one.indexOf(key) !== at)).size
      const [relation] = await list()
      expect([relation?.state, relation?.proof.duplicateKeys]).toEqual([
        duplicates > 0 ? 'broken' : 'confirmed',
        duplicates,
      ])
      if (duplicates > 0) continue
      const matchedRows = many.filter((key) => one.includes(key)).length
      expect(relation?.proof).toMatchObject({ fromRows: many.length, matchedRows, toRows: one.length })
    }
  })
})
