import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loadCsv } from '../../../test/worker/csv-load'
import { inspectCsv } from '../inference/inspect-csv'
import type { CsvReaderOptions } from '../contract'
import { createByteCsvReader } from './byte-csv-reader'
import { createDiagnosticCsvReader } from './csv-reader'

const PLAIN = { encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', skipLines: 0, header: false } as const
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

function read(text: string, settings: CsvReaderOptions['settings'] = PLAIN, pieces = 1_000_000) {
  const rows: [number, ...string[]][] = []
  const reader = createDiagnosticCsvReader({
    settings,
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => rows.push([line, ...cells]),
  })
  const bytes = utf8(text)
  for (let at = 0; at < bytes.length; at += pieces) reader.push(bytes.slice(at, at + pieces))
  reader.end()
  return { rows, strays: reader.strayQuotes(), consumed: reader.consumedBytes() }
}

describe('a quote that is never closed', () => {
  it.each([
    [
      'up to the end of the file',
      'a,b\n1,"x\n2,y\n3,z',
      [
        ['1', '"x'],
        ['2', 'y'],
        ['3', 'z'],
      ],
    ],
    [
      'up to the next quoted cell',
      'a,b\n1,"x\n2,"y"\n3,z\n',
      [
        ['1', '"x'],
        ['2', 'y'],
        ['3', 'z'],
      ],
    ],
    [
      'up to an empty quoted cell',
      'a,b\n1,"x\n2,""\n3,"z"\n',
      [
        ['1', '"x'],
        ['2', ''],
        ['3', 'z'],
      ],
    ],
    [
      'at the start of a line',
      'a,b\n"1,x\n"2","y"\n',
      [
        ['"1', 'x'],
        ['2', 'y'],
      ],
    ],
    [
      'on several lines',
      'a,b\n1,"x\n2,"y\n3,"z\n',
      [
        ['1', '"x'],
        ['2', '"y'],
        ['3', '"z'],
      ],
    ],
    [
      'behind cells that are quoted',
      'a,b,c\n"1","x, y","z\n"2","y","z"\n',
      [
        ['1', 'x, y', '"z'],
        ['2', 'y', 'z'],
      ],
    ],
    [
      'on the last line',
      'a,b\n1,x\n2,"',
      [
        ['1', 'x'],
        ['2', '"'],
      ],
    ],
  ])('costs no line but its own: %s', (_, text, rows) => {
    for (const pieces of [1, 7, 1000]) {
      const found = read(text, PLAIN, pieces)
      expect(found.rows.slice(1)).toEqual(rows.map((cells, n) => [n + 2, ...cells]))
      expect(found.strays.unclosed).toBeGreaterThan(0)
      expect(found.consumed).toBe(utf8(text).length)
    }
  })

  it('is told from a cell of several lines, and from quotes inside one', () => {
    const text = 'a,b\n"x\n2,y",1\n"x\n""2"",y",1\n"u,\n\n",2\n'
    const found = read(text)
    expect(found.rows.slice(1)).toEqual([
      [2, 'x\n2,y', '1'],
      [4, 'x\n"2",y', '1'],
      [6, 'u,\n\n', '2'],
    ])
    expect(found.strays.unclosed).toBe(0)
  })

  it('is found where more follows than a cell may hold', () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `${n},row ${n}`)
    const { rows, strays } = read(`id,name\n-1,"open\n${lines.join('\n')}\n`, PLAIN, 10_000)
    expect(rows).toHaveLength(30_002)
    expect(rows.slice(0, 3)).toEqual([
      [1, 'id', 'name'],
      [2, '-1', '"open'],
      [3, '0', 'row 0'],
    ])
    expect(strays).toMatchObject({ unclosed: 1, unclosedLine: 2 })
  })

  it('costs a load one row at most', () => {
    const lines = Array.from({ length: 200 }, (_, n) => `${n},"Kund ${n}",${n}.50`)
    lines[90] = '90,"Kund 90,90.50'
    const head = utf8(`id,kund,belopp\n${lines.join('\n')}\n`)
    const found = inspectCsv({ fileName: 'a.csv', size: head.length, head })
    expect(found.rows).toEqual({ count: 200, exact: true })
    expect(found.warnings).toMatchObject([{ code: 'stray_quotes', line: 92 }])
    expect(loadCsv(head, found)).toEqual({ rows: 200, rejects: 0 })
  })

  it('is read the same however the file is cut', () => {
    const part = fc.constantFrom('a', '"', '""', ',', '\n', '\r\n', '\r', 'é', '"x"', '"x\ny"', ' ')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (parts, pieces) => {
        const whole = read(parts.join(''))
        expect(read(parts.join(''), PLAIN, pieces)).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })
})

/** Far more than once through it takes, and less than again from its start by each quote. */
const HANG_MS = 20_000

describe('a record that is nothing but odd quotes', () => {
  const plain = `${'x'.repeat(32_000)},`.repeat(95)
  const long = (sign: string) => `${sign}x${'y'.repeat(8000)},`.repeat(400)
  it.each([
    ['that close their cells', PLAIN, `${plain}${'"a"b,'.repeat(400)}end\n`, 496],
    ['that are doubled where cells begin', PLAIN, `${long('""')}end\n`, 401],
    ['that nothing closes', { ...PLAIN, quote: "'", escape: "'" } as const, `${long("'")}end`, 401],
  ])('is read once, not again from its start: %s', (_, settings, text, cells) => {
    const begun = performance.now()
    const { rows } = read(text, settings, 64 * 1024)
    expect(rows.map((row) => row.length - 1)).toEqual([cells])
    expect(rows[0]?.at(-1)).toBe('end')
    expect(performance.now() - begun).toBeLessThan(HANG_MS)
  })

  it('is given to the careful reader a few times, not with every piece', () => {
    const bytes = utf8(`"a"b,${plain}end\n`)
    const rows: number[] = []
    const options = { settings: PLAIN, startByte: 1, startLine: 1, onBytes: () => rows.push(0) }
    const reader = createByteCsvReader({ ...options, onRecord: (cells) => rows.push(cells.length) })
    const begun = performance.now()
    for (let at = 0; at < bytes.length; at += 8192) reader.push(bytes.slice(at, at + 8192))
    reader.end()
    expect(rows).toEqual([97])
    expect(performance.now() - begun).toBeLessThan(HANG_MS)
  })
})

describe('quotes inside a cell that are not doubled', () => {
  it.each([
    [
      'belong to it',
      '1;"pedro "pdet" ho;landa"\n2;"x"\n',
      [
        ['1', 'pedro "pdet" ho;landa'],
        ['2', 'x'],
      ],
    ],
    [
      'belong to it at its end',
      '"he said:"wonderful."";A\n"10" boots";B\n',
      [
        ['he said:"wonderful."', 'A'],
        ['10" boots', 'B'],
      ],
    ],
    [
      'beside some that are',
      '"Pedro ""the"" legend";1\n"Pedro "the" legend";2\n',
      [
        ['Pedro "the" legend', '1'],
        ['Pedro "the" legend', '2'],
      ],
    ],
    ['close it where no other one does on its line', '"a" b;c\n"d"\n', [['a b', 'c'], ['d']]],
    ['close it where the next one opens a cell', '"a" b;"c";d\n', [['a b', 'c', 'd']]],
    [
      'close it before blanks, where the next one opens a cell of a delimiter',
      '"onions"  ;";";x\n',
      [['onions  ', ';', 'x']],
    ],
    ['close it on the last line', '1;"a" b', [['1', 'a b']]],
  ])('%s', (_, text, rows) => {
    for (const pieces of [1, 3, 1000]) {
      const found = read(text, { ...PLAIN, delimiter: ';' }, pieces)
      expect(found.rows.map(([, ...cells]) => cells)).toEqual(rows)
      expect(found.strays.unclosed).toBe(0)
      expect(found.strays.loose).toBe(text.includes('wonderful') ? 2 : 1)
    }
  })
})
