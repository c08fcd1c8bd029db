import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seedOf } from '../../../test/seed'
import { createCellDecoder } from '../encoding/text-decoder'
import { createByteCsvReader } from './byte-csv-reader'
import { createCsvReader } from './csv-reader'
import type { CsvReader, CsvReaderOptions } from '../contract'
import { CELL_MAX_BYTES, RECORD_MAX_CHARS } from '../../shared/limits'

const LONG = env.LONG === '1'
type Settings = CsvReaderOptions['settings']
const PLAIN: Settings = {
  ...{ encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', header: false, skipLines: 0 },
}
interface Read {
  records: [line: number, ...cells: string[]][]
  /** Records that were not decoded. */
  plain: number
  end: [byte: number, line: number]
  problem: string | null
}

function read(
  bytes: Uint8Array,
  settings: Settings,
  of: { pieces: number; isQuick: boolean; from?: [number, number] },
) {
  const found: Read = { records: [], plain: 0, end: [0, 0], problem: null }
  const decode = createCellDecoder(settings.encoding)
  const [startByte, startLine] = of.from ?? [0, 1]
  const onRecord = (cells: string[], line: number): void => void found.records.push([line, ...cells])
  const options = { settings, startByte, startLine, onRecord }
  const reader: CsvReader = of.isQuick
    ? createByteCsvReader({
        ...options,
        onBytes: ({ bytes: all, starts, ends, count }, line) => {
          found.plain += 1
          onRecord(
            Array.from({ length: count }, (_, cell) => decode(all, starts[cell] ?? 0, ends[cell] ?? 0)),
            line,
          )
        },
      })
    : createCsvReader(options)
  try {
    for (let at = startByte; at < bytes.length; at += of.pieces)
      reader.push(bytes.slice(at, Math.min(bytes.length, at + of.pieces)))
    const whole = [reader.consumedBytes(), reader.nextLine()] as const
    reader.end()
    found.end = [reader.consumedBytes(), reader.nextLine()]
    return { ...found, whole }
  } catch (error) {
    return { ...found, whole: [0, 0] as const, problem: String(error) }
  }
}

const sign = fc.constantFrom(
  ...[
    'a',
    'B7',
    ',',
    ',',
    ';',
    '\n',
    '\n',
    '\r\n',
    '\r',
    '"',
    '"',
    '""',
    '\\',
    '#',
    ' ',
    'å',
    '日',
    '😀',
    '\0',
    '\u00a0',
  ],
)
const text = fc.array(sign, { maxLength: 60 }).map((signs) => signs.join(''))
const bytesOf = fc.oneof(
  { weight: 4, arbitrary: text.map((each) => new TextEncoder().encode(each)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
)
const sometimes = fc.constantFrom(undefined, undefined, true as const)
const settingsOf: fc.Arbitrary<Settings> = fc.record({
  encoding: fc.constantFrom('utf-8', 'utf-8', 'windows-1252', 'cp437', 'utf-16le'),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  quote: fc.constantFrom('"', '"', ''),
  escape: fc.constantFrom('"', '\\'),
  header: fc.boolean(),
  skipLines: fc.constantFrom(0, 0, 1),
  comment: fc.constantFrom('#', undefined),
  skipInitialSpace: sometimes,
  numbered: sometimes,
  leaveOutTotals: sometimes,
})

describe('records that are not decoded', () => {
  it('are those that the careful reader finds, with the same lines, whatever the file and however it is cut', () => {
    let plain = 0
    fc.assert(
      fc.property(bytesOf, settingsOf, fc.integer({ min: 1, max: 70 }), fc.nat(1), (bytes, settings, pieces, start) => {
        // The beginning of a file needs care by itself.
        const at = { pieces, from: [start, 1] as [number, number] }
        const quick = read(bytes, settings, { ...at, isQuick: true })
        const careful = read(bytes, settings, { ...at, isQuick: false })
        plain += quick.plain
        expect({ ...quick, plain: 0, whole: 0 }).toEqual({ ...careful, plain: 0, whole: 0 })
      }),
      { seed: seedOf(LONG), numRuns: LONG ? 100_000 : 3_000 },
    )
    expect(plain).toBeGreaterThan(100)
  })

  it('can be gone on with where the reader says that the next unread one begins', () => {
    fc.assert(
      fc.property(bytesOf, fc.nat(60), fc.integer({ min: 1, max: 70 }), (bytes, cut, pieces) => {
        const all = read(bytes, PLAIN, { pieces, isQuick: true })
        const first = read(bytes.subarray(0, cut), PLAIN, { pieces, isQuick: true })
        const [byte, line] = first.whole
        if (byte === 0) return
        const rest = read(bytes, PLAIN, { pieces, isQuick: true, from: [byte, line] })
        const before = first.records.filter(([at]) => at < line)
        expect([...before, ...rest.records]).toEqual(all.records)
      }),
      { seed: seedOf(LONG), numRuns: LONG ? 50_000 : 1_000 },
    )
  })

  it('are none where a NUL, which is nothing, parts a line end', () => {
    const bytes = new TextEncoder().encode('head\na,1\r\0\nb,2\r\n')
    const found = read(bytes, PLAIN, { pieces: 5, isQuick: true, from: [5, 2] })
    expect(found.records).toEqual([
      [2, 'a', '1'],
      [3, 'b', '2'],
    ])
  })

  it('are nearly all of a file of which one in a hundred needs care', () => {
    const lines = Array.from({ length: 5_000 }, (_, n) =>
      n % 100 === 50 ? `"a ""b"" ${n}",x` : `plain ${n},"quoted, too"`,
    )
    const bytes = new TextEncoder().encode(lines.join('\n'))
    const found = read(bytes, PLAIN, { pieces: 10_000, isQuick: true })
    expect(found.records).toHaveLength(5_000)
    expect(found.records[50]).toEqual([51, 'a "b" 50', 'x'])
    expect(found.plain).toBeGreaterThan(4_000)
  })

  it('are read as the careful reader reads them where a quote is never closed', () => {
    const bytes = new TextEncoder().encode(`a,b\n"${'x\n'.repeat(40_000)}1,"2\n3,"4"\n5,"6\n`)
    const careful = read(bytes, PLAIN, { pieces: 1000, isQuick: false })
    expect(careful.records.at(-1)).toEqual([40_004, '5', '"6'])
    expect(read(bytes, PLAIN, { pieces: 1000, isQuick: true }).records).toEqual(careful.records)
  })

  it('are refused as the careful reader refuses them: a cell or a record that is too long', () => {
    const long = `a,b\n${'x'.repeat(RECORD_MAX_CHARS + 1)}`
    const wide = `a,b\n1,${'y'.repeat(CELL_MAX_BYTES + 1)}\n`
    for (const each of [long, wide, `a\n${'z,'.repeat(600)}\n`]) {
      const bytes = new TextEncoder().encode(each)
      const careful = read(bytes, PLAIN, { pieces: 256 * 1024, isQuick: false })
      expect(careful.problem).not.toBeNull()
      expect(read(bytes, PLAIN, { pieces: 256 * 1024, isQuick: true }).problem).toBe(careful.problem)
    }
  })
})
