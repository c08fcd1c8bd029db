import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { parseCsv } from 'hucre/csv'
import { describe, expect, it } from 'vitest'
import { createCsvReader, createDiagnosticCsvReader } from './csv-reader'
import type { CsvReaderOptions } from '../contract'
import { ProductError } from '../../shared/errors'
import { CELL_MAX_BYTES } from '../../shared/limits'

const LONG = env.LONG === '1'
type Settings = CsvReaderOptions['settings']
const PLAIN: Settings = { encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', skipLines: 0, header: false }
type Read = { cells: string[]; line: number }[]

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
function encode(text: string, encoding: Settings['encoding']): Uint8Array {
  if (encoding === 'utf-8') return utf8(text)
  if (encoding === 'windows-1252') return Uint8Array.from(text, (c) => (c === '€' ? 0x80 : c.charCodeAt(0) & 0xff))
  const out = new Uint8Array(text.length * 2)
  const view = new DataView(out.buffer)
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), encoding === 'utf-16le')
  return out
}

/** Reads bytes cut at the given places; with `stopAt` as two readers, the second from where the first ended. */
function read(bytes: Uint8Array, settings: Settings, cuts: number[] = []): Read {
  const found: Read = []
  const reader = createCsvReader({
    settings,
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => found.push({ cells, line }),
  })
  feed(reader, bytes, cuts)
  reader.end()
  return found
}

function feed(reader: { push(bytes: Uint8Array): void }, bytes: Uint8Array, cuts: number[]): void {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (let i = 1; i < places.length; i++) {
    // A copy that is wiped afterwards: streams reuse their buffers.
    const piece = bytes.slice(places[i - 1], places[i])
    reader.push(piece)
    piece.fill(0x2c)
  }
}

function readInTwo(bytes: Uint8Array, settings: Settings, at: { cuts: number[]; stop: number }): Read {
  const found: Read = []
  const onRecord = (cells: string[], line: number): void => void found.push({ cells, line })
  const stop = at.stop % (bytes.length + 1)
  const first = createCsvReader({ settings, startByte: 0, startLine: 1, onRecord })
  feed(first, bytes.subarray(0, stop), at.cuts)
  const [startByte, startLine] = [first.consumedBytes(), first.nextLine()]
  const second = createCsvReader({ settings, startByte, startLine, onRecord })
  feed(second, bytes.subarray(startByte), at.cuts)
  second.end()
  return found
}

const piece = fc.constantFrom(
  'a',
  '7',
  'é',
  '€',
  'Ł',
  '🐈',
  '"',
  '""',
  "'",
  '\\',
  ',',
  ';',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '#',
  '\0',
  '\ufeff',
  '"a\nb"',
  '"x""y"',
)
const latinPiece = fc.constantFrom(
  'a',
  '7',
  'é',
  '€',
  '"',
  '""',
  "'",
  '\\',
  ',',
  '\n',
  '\r\n',
  '\r',
  ' ',
  '#',
  '\0',
  '"a\r\nb"',
)
const settingsOf = (encoding: Settings['encoding']) =>
  fc.record({
    encoding: fc.constant(encoding),
    delimiter: fc.constantFrom(',' as const, ';' as const),
    quote: fc.constantFrom('"' as const, "'" as const, '' as const),
    escape: fc.constantFrom('"' as const, '\\' as const),
    skipLines: fc.constantFrom(0, 0, 2),
    header: fc.boolean(),
  })
const file = fc
  .constantFrom('utf-8' as const, 'utf-16le' as const, 'utf-16be' as const, 'windows-1252' as const)
  .chain((encoding) =>
    fc.record({
      settings: fc.oneof(
        settingsOf(encoding),
        settingsOf(encoding).map((settings) => ({ ...settings, comment: '#' as const })),
      ),
      bytes: fc
        .array(encoding === 'windows-1252' ? latinPiece : piece, { maxLength: 60 })
        .map((pieces) => encode(pieces.join(''), encoding)),
    }),
  )
const cuts = fc.array(fc.nat(400), { maxLength: 8 })

/** Same outcome: the same records, or the same refusal. */
function outcome(work: () => Read): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof ProductError) return { message: error.message }
    throw error
  }
}

describe('reading delimited text', () => {
  it('keeps every record and line the same, however the bytes are cut', () => {
    fc.assert(
      fc.property(file, cuts, ({ bytes, settings }, places) => {
        expect(outcome(() => read(bytes, settings, places))).toEqual(outcome(() => read(bytes, settings)))
      }),
      { numRuns: LONG ? 50_000 : 3_000 },
    )
  })

  it('continues exactly where an earlier reader stopped', () => {
    fc.assert(
      fc.property(file, cuts, fc.nat(400), ({ bytes, settings }, places, stop) => {
        const whole = outcome(() => read(bytes, settings))
        expect(outcome(() => readInTwo(bytes, settings, { cuts: places, stop }))).toEqual(whole)
      }),
      { numRuns: LONG ? 50_000 : 3_000 },
    )
  })

  it('tells a boundary from inside the callback that the next reader can start at', () => {
    fc.assert(
      fc.property(file, cuts, ({ bytes, settings }, places) => {
        const boundaries: { byte: number; line: number; after: number }[] = []
        let rows = 0
        const reader = createCsvReader({
          settings,
          startByte: 0,
          startLine: 1,
          onRecord: () => boundaries.push({ byte: reader.consumedBytes(), line: reader.nextLine(), after: ++rows }),
        })
        try {
          feed(reader, bytes, places)
          reader.end()
        } catch (error) {
          if (error instanceof ProductError) return
          throw error
        }
        const whole = read(bytes, settings)
        for (const { byte, line, after } of boundaries) {
          const rest: Read = []
          const onRecord = (cells: string[], at: number): void => void rest.push({ cells, line: at })
          const later = createCsvReader({ settings, startByte: Math.max(1, byte), startLine: line, onRecord })
          later.push(bytes.subarray(byte))
          later.end()
          expect(rest).toEqual(whole.slice(after))
        }
      }),
      { numRuns: LONG ? 20_000 : 1_000 },
    )
  })

  it('reads RFC 4180 as another reader does', () => {
    const cell = fc.stringMatching(/^[a-z0-9 ,"\n;é]{0,8}$/).filter((text) => text.trim() === text)
    const table = fc
      .integer({ min: 2, max: 5 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 }),
      )
    fc.assert(
      fc.property(table, fc.constantFrom('\n', '\r\n'), fc.boolean(), (rows, end, quoteAll) => {
        const write = (text: string): string =>
          quoteAll || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
        const text = rows.map((cells) => cells.map(write).join(',')).join(end)
        const filled = rows.filter((cells) => cells.some((value) => value !== ''))
        const ours = read(utf8(text), PLAIN).map(({ cells }) => cells)
        expect(ours).toEqual(filled)
        const theirs = parseCsv(text, { delimiter: ',' })
        expect(ours).toEqual(theirs.filter((cells) => cells.some((value) => value !== '')))
      }),
      { numRuns: LONG ? 20_000 : 1_000 },
    )
  })

  const cellsOf = (text: string, settings: Partial<Settings> = {}): string[][] =>
    read(utf8(text), { ...PLAIN, ...settings }).map(({ cells }) => cells)

  it.each([
    [
      'CR alone as line end',
      'a,b\r1,2\r3,4',
      [
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['doubled quotes', 'a\n"x ""y"" z"', [['a'], ['x "y" z']]],
    ['a quote inside a plain cell as a letter', 'a,5" pipe\n', [['a', '5" pipe']]],
    ['text after a closing quote', '"a" b,c', [['a b', 'c']]],
    [
      'an empty last cell at the end of the file',
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['quoted line ends as they are', '"a\r\nb",c\r\n', [['a\r\nb', 'c']]],
  ])('keeps %s', (_, text, rows) => expect(cellsOf(text)).toEqual(rows))

  it('drops blank lines and rows without any character, and still counts their lines', () => {
    const found = read(utf8('a,b\n\n,,\n"",""\n1,2\n'), PLAIN)
    expect(found).toEqual([
      { cells: ['a', 'b'], line: 1 },
      { cells: ['1', '2'], line: 5 },
    ])
  })

  it('drops byte order mark, titles and header at the start of the file only', () => {
    const text = '\ufeffReport\n"odd title\nname,amount\nx,1\n'
    expect(read(utf8(text), { ...PLAIN, skipLines: 2, header: true })).toEqual([{ cells: ['x', '1'], line: 4 }])
  })

  it('reads backslash escapes, and keeps other backslashes', () => {
    expect(cellsOf('"a \\"b\\" c:\\temp"|x', { escape: '\\', delimiter: '|' })).toEqual([['a "b" c:\\temp', 'x']])
  })

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('takes an escaped line end into the cell outside of quotes too, however it is cut: %s', (_, end) => {
    const bytes = utf8(['a\\,b,two\\', 'lines,3', '4,5,x\\'].join(end))
    for (const size of [1, bytes.length]) {
      const records: { cells: string[]; line: number }[] = []
      const settings = { ...PLAIN, escape: '\\' } as const
      const onRecord = (cells: string[], line: number): number => records.push({ cells, line })
      const reader = createCsvReader({ settings, startByte: 0, startLine: 1, onRecord })
      for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size))
      reader.end()
      expect(records).toEqual([
        { cells: ['a,b', `two${end}lines`, '3'], line: 1 },
        { cells: ['4', '5', 'x\\'], line: 3 },
      ])
    }
  })

  it('counts the lines left out as comments', () => {
    let comments = 0
    const reader = createDiagnosticCsvReader({
      settings: { ...PLAIN, comment: '#' },
      startByte: 0,
      startLine: 1,
      onRecord: (cells) => expect(cells).toEqual(['1', '2']),
    })
    reader.push(utf8('# "one\n1,2\n#two'))
    reader.end()
    comments = reader.commentCount()
    expect(comments).toBe(2)
  })

  const refusal = (bytes: Uint8Array, settings = PLAIN): ProductError => {
    try {
      const reader = createCsvReader({ settings, startByte: 0, startLine: 1, onRecord: () => undefined })
      for (let at = 0; at < bytes.length; at += 65_536) reader.push(bytes.subarray(at, at + 65_536))
      reader.end()
    } catch (error) {
      if (error instanceof ProductError) return error
      throw error
    }
    throw new Error('nothing was refused')
  }

  it.each([
    ['plain', `a,b\n1,${'x'.repeat(2_000_000)}\n`],
    ['quoted', `a,b\n1,"${'x'.repeat(2_000_000)}"\n`],
    ['just too large in bytes', `a,b\n1,${'é'.repeat(CELL_MAX_BYTES / 2 + 1)}\n`],
  ])('refuses a giant cell with its line (%s)', (_, text) => {
    expect(refusal(utf8(text)).details).toMatchObject({ reason: 'unsafe', line: 2 })
  })

  it('takes a cell of exactly the most bytes', () => {
    expect(cellsOf(`a,${'é'.repeat(CELL_MAX_BYTES / 2)}`)).toHaveLength(1)
  })

  it('refuses 10 000 columns and a line of 50 MB', () => {
    const wide = refusal(utf8(Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(',')))
    expect(wide.code).toBe('too_large')
    expect(wide.details).toMatchObject({ what: 'columns', max: 500 })
    const line = new Uint8Array(50 * 1024 * 1024).fill(97)
    expect(refusal(line).details).toMatchObject({ reason: 'unsafe', line: 1 })
  })
})
