import { describe, expect, it } from 'vitest'
import { labelsOf, openFile, recordsOf, type CollectedTable } from '../../../test/suites/open-file'
import { fixtureFiles } from '../../../test/worker/fixture-files'
import { ProductError } from '../../shared/errors'
import { parquetReader } from './parquet-reader'

const files = fixtureFiles(
  import.meta.glob<string>('../../../test/fixtures/parquet/*', { query: '?inline', import: 'default', eager: true }),
)
function bytesOf(name: string): Uint8Array {
  const bytes = files.get(name)
  if (!bytes) throw new Error(`no fixture ${name}`)
  return bytes
}
const openBytes = (bytes: Uint8Array) => openFile(parquetReader, { name: 'data.parquet', bytes })
const open = (name: string) => openBytes(bytesOf(name))
function nth(tables: CollectedTable[], index: number): CollectedTable {
  const table = tables[index]
  if (!table) throw new Error(`there is no table ${index}`)
  return table
}
async function refusal(bytes: Uint8Array): Promise<{ reason: unknown; message: string }> {
  const error = await openBytes(bytes).catch((thrown: unknown) => thrown)
  if (!(error instanceof ProductError)) throw new Error('was not refused')
  return { reason: error.details['reason'], message: error.message }
}

describe('types', () => {
  it('spells out every logical type exactly, and leaves what is no number empty', async () => {
    const { tables, warnings } = await open('own__types.parquet')
    const [first, second, third] = recordsOf(nth(tables, 0))
    expect(first).toEqual({
      money: '1234.50',
      exact: '12345678901234567890.123456789',
      small: '1',
      u8: '255',
      u32: '4294967295',
      u64: '18446744073709551615',
      big: '9007199254740993',
      fits: '9007199254740991',
      half: '1.5',
      single: '19.99',
      double: '0.1',
      day: '2024-02-29',
      time: '23:59:59.123456',
      ms: '2024-01-02T03:04:05.678',
      us_utc: '2024-01-02T03:04:05.678901Z',
      ns: '2024-01-02T03:04:05.678901234',
      flag: 'true',
      text: 'Åsa "x", y\n',
      digits: '007',
      bytes: '\\x00ff',
      kind: 'a',
      id: '00000000-0000-0000-0000-000000000001',
      'place.city': 'Umeå',
      'place.geo.lat': '63.8',
    })
    expect(second).toMatchObject({
      money: '-0.05',
      exact: '-1.500000000',
      half: '-0.1',
      day: '1969-12-31',
      bytes: 'abc',
    })
    expect(second).toMatchObject({ ms: '1969-12-31T23:59:59.999', ns: '1969-12-31T23:59:59.999999999', single: null })
    expect(new Set(Object.values(third ?? {}))).toEqual(new Set([null]))
    expect(warnings.map(({ code }) => code)).toEqual(['error_cells'])
  })

  it('gives columns the declared type, and text where a number would lose digits', async () => {
    const [table] = (await open('own__types.parquet')).tables
    const hints = Object.fromEntries(
      (table?.hints ?? []).map(({ label, type, scale, zoned }) => [
        label,
        [type, scale ?? zoned].filter((x) => x !== undefined),
      ]),
    )
    expect(hints).toMatchObject({
      money: ['number', 2],
      exact: ['text'],
      u32: ['integer'],
      u64: ['text'],
      big: ['text'],
      fits: ['integer'],
      double: ['number'],
      day: ['date'],
      time: ['text'],
      ms: ['datetime', false],
      us_utc: ['datetime', true],
      flag: ['boolean'],
      digits: ['text'],
      text: [],
      'place.geo.lat': ['number'],
    })
  })

  it('reads timestamps of the old kind', async () => {
    const [table] = (await open('int96_from_spark.parquet')).tables
    expect(table?.rows.slice(0, 2)).toEqual([['2024-01-01T20:34:56.123456'], ['2024-01-01T01:00:00']])
  })
})

describe('nested columns', () => {
  const names = [...files.keys()].filter((name) => name.startsWith('own__nested_'))

  it.each(names)('gives the same tables in every compression and page format: %s', async (name) => {
    const { tables, warnings } = await open(name)
    expect(warnings).toEqual([])
    expect(tables.map((table) => [table.name, table.rows.length])).toEqual([
      ['data', 400],
      ['data.items', 684],
      ['data.items.tags', 683],
    ])
    expect(labelsOf(nth(tables, 0))).toEqual(['id', 'n', 'text', 'price'])
    expect(recordsOf(nth(tables, 0))[13]).toEqual({ id: 'o13', n: '13', text: 'xxxx', price: '3.25' })
    const items = recordsOf(nth(tables, 1)).filter((row) => row['data_id'] === 'o13')
    expect(items.map(({ sku, qty, tags }) => [sku, qty, tags])).toEqual([
      ['s0', '0', 't0'],
      ['s0', '1', 't0, t1'],
      ['s0', '2', null],
    ])
  })

  it('makes maps tables of keys and values', async () => {
    const { tables } = await open('nested_maps.snappy.parquet')
    expect(tables.map(({ name }) => name)).toEqual(['data', 'data.a', 'data.a.value'])
    expect(recordsOf(nth(tables, 2)).slice(0, 2)).toEqual([
      { a_row_id: '1', key: '1', value: 'true' },
      { a_row_id: '1', key: '2', value: 'false' },
    ])
  })

  it('joins lists of single values, leaving out what is null', async () => {
    const [table] = (await open('list_columns.parquet')).tables
    expect(table?.rows.map((row) => row.slice(1))).toEqual([
      ['1, 2, 3', 'abc, efg, hij'],
      ['1', null],
      ['4', 'efg, hij, xyz'],
    ])
  })
})

describe('encodings', () => {
  it('reads deltas, split bytes and runs over many pages', async () => {
    const rows = recordsOf(nth((await open('own__encodings.parquet')).tables, 0))
    expect(rows).toHaveLength(500)
    for (let i = 0; i < 500; i++) {
      expect(rows[i]).toEqual({
        n: String(((i * 7919) % 1000) - 500),
        big: String((BigInt(i) * 1234567891n) ** 2n % (1n << 62n)),
        s: i % 11 === 0 ? null : `prefix-${Math.floor(i / 10)}-${i}`,
        l: 'å'.repeat(i % 4),
        f: String(i / 8),
        b: String(i % 3 === 0),
      })
    }
  })

  it.each([
    ['byte_stream_split.zstd.parquet', 300],
    ['lz4_raw_compressed.parquet', 4],
    ['datapage_v2.snappy.parquet', 5],
    ['alltypes_plain.parquet', 8],
  ])('reads %s', async (name, rows) => {
    expect((await open(name)).tables[0]?.rows).toHaveLength(rows)
  })
})

describe('what cannot be read', () => {
  it('says that a file is encrypted', async () => {
    expect((await refusal(bytesOf('uniform_encryption.parquet.encrypted'))).reason).toBe('encrypted')
  })

  it('says that a file is damaged: cut off, without its end, with a broken description', async () => {
    const whole = bytesOf('alltypes_plain.parquet')
    const cut = await refusal(whole.slice(0, 900))
    expect(cut).toMatchObject({ reason: 'broken' })
    expect(cut.message).toContain('Export it again')
    expect((await refusal(whole.slice(0, 6))).reason).toBe('broken')
    expect((await refusal(bytesOf('bad__PARQUET-1481.parquet'))).reason).toBe('broken')
    const zeroed = whole.slice()
    zeroed.fill(0, 4, 600)
    expect((await refusal(zeroed)).reason).toBe('broken')
  })

  it('warns where a page does not match its checksum', async () => {
    const changed = bytesOf('own__nested_none.parquet').slice()
    // A letter inside a stored text.
    const at = changed.findIndex((byte, i) => byte === 0x6f && changed[i + 1] === 0x31 && changed[i + 2] === 0x30)
    changed[at] = 0x70
    expect((await openBytes(changed)).warnings).toMatchObject([{ code: 'checksum', column: 'id' }])
  })

  it('is recognised by its bytes and no text is', () => {
    for (const [name, bytes] of files) {
      expect(parquetReader.recognises(bytes.subarray(0, 65_536), 'x.csv'), name).toBe(true)
    }
    const text = new TextEncoder().encode('PAR1,name\n1,A\n')
    expect(parquetReader.recognises(text, 'x.parquet')).toBe(false)
  })
})
