import { describe, expect, it } from 'vitest'
import { openFile, recordsOf } from '../../../test/suites/open-file'
import { jsonReader } from './json-reader'

/** Tables that are offered at first, by name, with their records. */
async function tablesOf(value: unknown, pieces = 11): Promise<Record<string, Record<string, string | null>[]>> {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const { tables } = await openFile(jsonReader, { name: 'file.json', bytes }, pieces)
  return Object.fromEntries(
    tables.filter(({ optional }) => optional !== true).map((table) => [table.name, recordsOf(table)]),
  )
}
const LARGE_PIECES = 256 * 1024
const ROWS = [
  { id: '1', name: 'A' },
  { id: '2', name: 'B' },
  { id: '3', name: 'C' },
]
const LISTS = [
  [1, 'A'],
  [2, 'B'],
  [3, 'C'],
]

describe('rows that are lists', () => {
  it.each([
    ['texts', { columns: ['id', 'name'], data: LISTS }],
    ['texts after them', { values: LISTS, legend: ['id', 'name'] }],
    ['a list whose name ends with what it holds', { values: LISTS, resultColumnNames: ['id', 'name'] }],
    ['what a file of pandas counts', { columns: ['id', 'name'], index: [0, 1, 2], data: LISTS }],
    ['a first row', { data: [['id', 'name'], ...LISTS] }],
  ])('have their names from %s', async (_from, value) => {
    expect(Object.values(await tablesOf(value))).toEqual([ROWS])
  })

  it('have their names from descriptions of as many columns, deeper in the object, too', async () => {
    const found = await tablesOf({ took: 3, result: { cols: [{ name: 'id' }, { name: 'name' }], rows: LISTS } })
    expect(found['file.result.rows']).toEqual(ROWS)
    expect(found['file.result.cols']).toEqual([{ name: 'id' }, { name: 'name' }])
  })

  it('have their names from what describes each with its type, whatever it is called', async () => {
    const types = [
      { name: 'id', type: 'FIXED' },
      { name: 'name', type: 'TEXT' },
    ]
    expect((await tablesOf({ shape: types, data: LISTS }))['file.data']).toEqual(ROWS)
  })

  it('have no names from a list of as many texts that does not say so, which stays what it is', async () => {
    const numbered = ROWS.map(({ id, name }) => ({ 'Column 1': id, 'Column 2': name }))
    for (const beside of [{ tags: ['red', 'blue'] }, { usernames: ['anna', 'bo'] }]) {
      const found = await tablesOf({ ...beside, points: LISTS })
      expect(found['file.points']).toEqual(numbered)
    }
    const users = [{ name: 'Anna' }, { name: 'Bo' }]
    expect((await tablesOf({ users, points: LISTS }))['file.points']).toEqual(numbered)
  })

  it('keep cells beyond their names', async () => {
    expect(
      await tablesOf({
        data: [
          ['id', 'Column 3'],
          [1, 'A'],
          [2, 'B', 'more'],
        ],
      }),
    ).toEqual({
      'file.data': [
        { id: '1', 'Column 3': 'A', '_Column 3': null },
        { id: '2', 'Column 3': 'B', '_Column 3': 'more' },
      ],
    })
  })

  it('are as many as there are', async () => {
    const found = await tablesOf({ data: Array.from({ length: 150_000 }, () => ['a']) }, LARGE_PIECES)
    expect(found['file.data']?.length).toBe(150_000)
  })

  it('have numbers where nothing names them, and keep an index that says something', async () => {
    expect(await tablesOf({ data: LISTS.slice(0, 2) })).toEqual({
      'file.data': [
        { 'Column 1': '1', 'Column 2': 'A' },
        { 'Column 1': '2', 'Column 2': 'B' },
      ],
    })
    const days = ['2024-01-01', '2024-01-02', '2024-01-03']
    expect(await tablesOf({ columns: ['id', 'name'], index: days, data: LISTS })).toEqual({
      'file.data': ROWS.map((row, at) => ({ index: days[at], ...row })),
    })
  })
})

describe('columns that are written one after the other', () => {
  it('are a table as lists of one length, and as objects by row', async () => {
    expect(await tablesOf({ id: [1, 2, 3], name: ['A', 'B', 'C'] })).toEqual({ file: ROWS })
    const byRow = { id: { 0: 1, 1: 2, 2: 3 }, name: { 0: 'A', 1: 'B', 2: 'C' } }
    expect(await tablesOf(byRow)).toEqual({ file: ROWS })
    expect(await tablesOf({ amount: { '2024-01-01': 5, '2024-01-02': 6 } })).toEqual({
      file: [
        { index: '2024-01-01', amount: '5' },
        { index: '2024-01-02', amount: '6' },
      ],
    })
  })

  it('are a table inside an object that says more', async () => {
    const hourly = { time: ['08:00', '09:00', '10:00'], degrees: [1.5, 2, null] }
    const rows = [
      { time: '08:00', degrees: '1.5' },
      { time: '09:00', degrees: '2' },
      { time: '10:00', degrees: null },
    ]
    expect((await tablesOf({ latitude: 59.3, hourly }))['file.hourly']).toEqual(rows)
    expect((await tablesOf({ unit: 'C', ...hourly }))['file.rows']).toEqual(rows)
  })

  it.each([
    ['figures', { month: ['Jan', 'Feb', 'Mar'], sold: [1, 2, 3] }],
    ['figures alone', { x: [1, 2, 3], y: [4, 5, 6] }],
    ['figures that are texts', { month: ['Jan', 'Feb', 'Mar'], sold: ['1.50', '2', '3'] }],
    ['days', { day: ['2024-01-01', '2024-01-02', '2024-01-03'], who: ['Anna', 'Bo', 'Cia'] }],
    ['a value that stands twice', { who: ['Anna', 'Bo', 'Cia'], where: ['Lund', 'Lund', 'Umeå'] }],
    ['an empty value', { who: ['Anna', 'Bo', 'Cia'], where: ['Lund', null, 'Umeå'] }],
    ['a length that no chance explains', { a: Array.from('abcdefghij'), b: Array.from('ABCDEFGHIJ') }],
  ])('are a table by %s', async (_evidence, value: Record<string, unknown[]>) => {
    const found = await tablesOf(value)
    expect(Object.keys(found)).toEqual(['file'])
    expect(found['file']?.map((row) => Object.keys(row))).toEqual(
      Object.values(value)[0]?.map(() => Object.keys(value)),
    )
  })

  it('are none where all they share is a short length', async () => {
    const found = await tablesOf({ employees: ['Anna', 'Bo', 'Cia'], products: ['Chair', 'Table', 'Lamp'] })
    expect(Object.keys(found)).not.toContain('file.rows')
    expect(found['file']?.length ?? 1).toBe(1)
  })

  it('are no table of rows where their lengths differ', async () => {
    expect(Object.keys(await tablesOf({ id: [1, 2, 3], name: ['A', 'B'] }))).toEqual(['file.id', 'file.name'])
  })
})

describe('rows by name', () => {
  const days = { '2024-01-01': { SEK: 11.2, USD: 1.1 }, '2024-01-02': { SEK: 11.3 }, '2024-01-03': { SEK: 11, USD: 1 } }
  it('are rows inside an object, too, with their name in a column', async () => {
    const rows = [
      { key: '2024-01-01', SEK: '11.2', USD: '1.1' },
      { key: '2024-01-02', SEK: '11.3', USD: null },
      { key: '2024-01-03', SEK: '11', USD: '1' },
    ]
    expect((await tablesOf({ base: 'EUR', rates: days }))['file.rates']).toEqual(rows)
  })

  it('are none of objects that hold no value', async () => {
    const notes = { '1': { texts: null }, '2': { texts: [null] }, '3': { texts: [null] } }
    for (const tables of [await tablesOf({ notes }), await tablesOf({ title: 'a', notes })])
      expect([tables['file']?.length, tables['file.notes']]).toEqual([1, undefined])
  })

  it('have their names in one column where some of them have a member of its name', async () => {
    const users = { u1: { n: 1 }, u2: { n: 2 }, u3: { n: 3, key: 'own' } }
    expect((await tablesOf({ users }))['file.users']).toEqual([
      { _key: 'u1', n: '1', key: null },
      { _key: 'u2', n: '2', key: null },
      { _key: 'u3', n: '3', key: 'own' },
    ])
  })

  it('are rows of single values where the names are days, and columns where they are not', async () => {
    expect(await tablesOf({ '2023': 5, '2024': 6, '2025': null })).toEqual({
      file: [
        { key: '2023', value: '5' },
        { key: '2024', value: '6' },
        { key: '2025', value: null },
      ],
    })
    expect(await tablesOf({ a: 5, b: 6, c: 7 })).toEqual({ file: [{ a: '5', b: '6', c: '7' }] })
  })
})

describe('a list that says what it holds before its rows', () => {
  const country = { country: { id: 'SE' }, value: 5 }
  it('is those rows, and what is said of them beside', async () => {
    const found = await tablesOf([{ page: 1, total: 2 }, [country, { ...country, value: null }]])
    expect(found).toEqual({
      'file.rows': [
        { 'country.id': 'SE', value: '5' },
        { 'country.id': 'SE', value: null },
      ],
    })
  })
  it('is records as before where anything else follows', async () => {
    expect(await tablesOf([{ a: 1 }])).toEqual({ file: [{ a: '1' }] })
    expect(await tablesOf([{ a: 1 }, { a: 2 }, { a: 3 }])).toEqual({ file: [{ a: '1' }, { a: '2' }, { a: '3' }] })
    expect(await tablesOf([{ a: 1 }, [{ b: 2 }], [{ c: 3 }]])).toEqual({
      file: [
        { a: '1', value: null },
        { a: null, value: '[{"b":2}]' },
        { a: null, value: '[{"c":3}]' },
      ],
    })
  })

  it('may say too much of them, and is refused', async () => {
    const page = Object.fromEntries(Array.from({ length: 200_000 }, (_, n) => [`k${n}`, n]))
    await expect(tablesOf([page, [country]], LARGE_PIECES)).rejects.toMatchObject({
      code: 'too_large',
      details: { what: 'columns' },
    })
  })
})

describe('rows that are lists in a file too large to hold', () => {
  const words = 'and some more words'.repeat(25)
  const data = Array.from({ length: 9000 }, (_, n) => [n, `Name of row number ${n}, ${words}`])
  it.each([
    ['before', { columns: ['id', 'name'], data }],
    ['after', { data, columns: ['id', 'name'] }],
  ])('have the names that stand %s them', async (_where, value) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value))
    const { tables } = await openFile(jsonReader, { name: 'file.json', bytes }, 256 * 1024)
    const table = tables.find(({ name }) => name === 'file.data')
    expect(table?.rows.length).toBe(data.length)
    expect(table?.hints.map(({ label }) => label)).toEqual(['id', 'name'])
    expect(table?.rows.at(-1)).toEqual(['8999', `Name of row number 8999, ${words}`])
  })
})

it('keeps rows of more values than a table has columns as one value each', async () => {
  const data = Array.from({ length: 900 }, () => Array.from({ length: 1200 }, (_, n) => 1000 + n))
  const bytes = new TextEncoder().encode(JSON.stringify({ data }))
  const { tables } = await openFile(jsonReader, { name: 'file.json', bytes }, 256 * 1024)
  expect(tables.map(({ name, rows }) => [name, rows.length])).toEqual([['file.data', 900]])
  expect(tables[0]?.rows[0]?.[0]).toMatch(/^1000, 1001/)
})

it('takes lists that are too much together, though none is by itself', async () => {
  const words = 'of a list of many values, '.repeat(16)
  const list = (name: string) => Array.from({ length: 6000 }, (_, n) => ({ [name]: `Value number ${n} ${words}` }))
  const bytes = new TextEncoder().encode(JSON.stringify({ total: 3, a: list('a'), b: list('b'), c: list('c') }))
  const { tables } = await openFile(jsonReader, { name: 'file.json', bytes }, 256 * 1024)
  expect(tables.map(({ name, rows }) => [name, rows.length])).toEqual([
    ['file', 1],
    ['file.a', 6000],
    ['file.b', 6000],
    ['file.c', 6000],
  ])
})
