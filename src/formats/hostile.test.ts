import { describe, expect, it } from 'vitest'
import { inferRole } from './inference/column-roles'
import { collectColumnStats } from './inference/column-types'
import { inspectCsv } from './inference/inspect-csv'
import { createCsvReader } from './csv/csv-reader'
import { findStackedTables } from './csv/stacked-tables'
import { parseDate, parseDateTime } from '../shared/values/parse-date'
import { makeColumnLabels } from './inference/header'
import { isCurrencyCode } from '../shared/data-sources/currency-codes'
import { parseNumber } from '../shared/values/parse-number'
import { createRowParser } from './values/row-parser'
import { MojibakeDetector } from './sie/encoding'
import { tokenizeLine } from './sie/tokenizer'
import { sieReader } from './sie/sie-reader'
import { parseSieAmount } from './sie/values'
import { totalRowLabel } from './csv/total-rows'
import { ProductError } from '../shared/errors'
import type { FileInspection } from '../shared/data-sources/files'
import { openFile, recordsOf } from '../../test/suites/open-file'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const inspect = (text: string): FileInspection => {
  const bytes = utf8(text)
  return inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes })
}
/** Most take a few milliseconds; what looks back from each sign takes 5 000 millions of steps, ten seconds and more. */
const EACH_MAX_MS = 2_000

/** The quickest of three: the machine may be busy, an expression that runs away is slow every time. */
function quickest(work: () => unknown): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const started = performance.now()
      work()
      return performance.now() - started
    }),
  )
}

describe('expressions over foreign text', () => {
  it.each([' ', ';', '| "'])('lines that may be titles of tables run away at none: %j', (part) => {
    const line = `a${part.repeat(80_000 / part.length)}b`
    const bytes = utf8(`${line}\n\n${line}\nid,amount\n1,2\n\n${line}\n`)
    expect(quickest(() => findStackedTables(bytes))).toBeLessThan(EACH_MAX_MS)
  })

  const LONG = 100_000
  const hostile = [
    ...['1', '1,', '1 ', "1'", '1.', '0', '-', '(', '(-', '1e', '$', 'kr ', '% ', 'a ', 'jan ', '2025-', '10:', '١'],
    ...[
      '"',
      "'",
      ' "',
      ',"',
      ", '",
      '{',
      '{"',
      '#',
      '\\"',
      '\t',
      'total ',
      'sum',
      'ä',
      'Ã¥',
      '„a',
      '\n',
      '\r',
      '\u00a0',
    ],
  ].flatMap((part) => [part.repeat(LONG), `${part.repeat(LONG)}!`, `1${part.repeat(LONG)}1`])
  const readers: Record<string, (text: string) => unknown> = {
    readNumber: (text) => [parseNumber(text, '.'), parseNumber(text, ',')],
    readDate: (text) => parseDate(text, 'dmy'),
    readDateTime: (text) => parseDateTime(text, 'mdy'),
    readAmount: parseSieAmount,
    totalWord: (text) => totalRowLabel([text]),
    labels: (text) => makeColumnLabels([text], 1),
    role: (text) =>
      inferRole('integer', makeColumnLabels([text], 1).labels[0] ?? '', collectColumnStats([], isCurrencyCode)),
    values: (text) => collectColumnStats([text], isCurrencyCode),
    sieLine: tokenizeLine,
    sieDamage: (text) => new MojibakeDetector().add(text, 1),
    sieRecognises: (text) => sieReader.recognises(utf8(text.slice(0, 65_536)), 'a'),
  }
  for (const [name, read] of Object.entries(readers))
    it(`${name} runs away at none`, () => {
      const slow = hostile.filter((text) => quickest(() => read(text)) > EACH_MAX_MS).map((text) => text.slice(0, 8))
      expect(slow).toEqual([])
    })

  it('inspection of whole files of them runs away at none', () => {
    for (const text of hostile) {
      const started = performance.now()
      try {
        inspect(`a,b\n${text}\n`)
      } catch (error) {
        if (!(error instanceof ProductError)) throw error
      }
      expect([text.slice(0, 8), performance.now() - started > 2 * EACH_MAX_MS]).toEqual([text.slice(0, 8), false])
    }
  })
})

describe('names that mean something to the language', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'polluted']

  it('are plain headings and plain values of a delimited text', () => {
    const { columns, preview } = inspect(`${NAMES.join(',')}\n${NAMES.map((name) => `{"${name}":1}`).join(',')}\n`)
    expect(columns.map(({ label }) => label)).toEqual(NAMES)
    expect(preview[0]?.[0]).toBe('{"__proto__":1}')
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('are plain accounts, objects, dimensions and labels of a ledger', async () => {
    const lines = NAMES.flatMap((name) => [
      ...[`#KONTO ${name} "${name}"`, `#DIM ${name} "${name}"`, `#OBJEKT ${name} ${name} "${name}"`, `#${name} 1`],
      ...[`#VER ${name} ${name} 20250101`, '{', `#TRANS ${name} {${name} ${name}} 0`, '}'],
    ])
    const text = ['#FLAGGA 0', '#RAR 0 20250101 20251231', ...lines].join('\n')
    const { tables, warnings } = await openFile(sieReader, { name: 'a.se', bytes: utf8(text) })
    const column = (table: string, label: string): unknown[] =>
      tables.filter(({ name }) => name === table).flatMap((one) => recordsOf(one).map((row) => row[label]))
    expect(column('accounts', 'name')).toEqual(NAMES)
    expect(column('entries', 'account')).toEqual(NAMES)
    expect(column('entries', 'dim___proto___name')[0]).toBe('__proto__')
    expect(warnings.filter(({ code }) => code === 'unknown_records')).toHaveLength(NAMES.length)
    expect(Object.getOwnPropertyNames({})).toEqual([])
  })
})

describe('figures at the edge', () => {
  const types = (...values: string[]): string =>
    inspect(`k;v\n${values.map((v) => `x;${v}`).join('\n')}\n`).columns[1]?.type ?? ''

  it('are kept exactly or stay texts', () => {
    expect(types('9007199254740991', '9007199254740993')).toBe('text')
    expect(types('NaN', 'Infinity', '-Infinity')).toBe('text')
    expect(types('١٢', '٣٤')).toBe('text')
    expect(types('0x10', '1_000')).toBe('text')
  })

  it('are flagged when one column writes them in two ways', () => {
    const { columns, warnings } = inspect('k|v\nx|1.234,56\ny|1,234.56\n')
    expect(columns[1]?.type).toBe('text')
    expect(warnings.map(({ code }) => code)).toEqual(['mixed_formats'])
  })

  it('add up to the last decimal, and have one zero', () => {
    const { columns, settings } = inspect(`k,v\n${Array.from({ length: 10 }, () => 'x,0.1').join('\n')}\nx,-0.0\n`)
    const scale = columns[1]?.scale
    const typer = createRowParser(
      [
        {
          column: { key: 'c1', label: 'v', type: 'number', ...(scale === undefined ? {} : { scale }) },
          file: { index: 1, decimalMark: '.', dateOrder: 'ymd' },
        },
      ],
      settings,
    )
    const values = [...Array.from({ length: 10 }, () => '0.1'), '-0.0'].map((text) => typer.parse(['x', text], 2))
    const numbers = values.map((row) => (row.ok ? Number(row.values[0]) : Number.NaN))
    expect(numbers.reduce((sum, value) => sum + value, 0)).toBe(10 ** (scale ?? 0))
    expect(Object.is(numbers.at(-1), 0)).toBe(true)
  })
})

describe('texts at the edge', () => {
  it('are one heading however an accent is written, and hide nothing', () => {
    const { columns } = inspect('\u00c5r,A\u030ar,a\u202eb,x\u200by,\ud83d\ude00\n1,2,3,4,5\n')
    expect(columns.map(({ label }) => label)).toEqual(['År', 'År (2)', 'a b', 'x y', '😀'])
  })

  it('come through whole when a sign of four bytes is cut between pieces', () => {
    const bytes = utf8('a\n😀é\u2028x\n')
    const cells: string[] = []
    const reader = createCsvReader({
      settings: { encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', skipLines: 0, header: true },
      startByte: 0,
      startLine: 1,
      onRecord: ([cell = '']) => cells.push(cell),
    })
    for (const byte of bytes) reader.push(Uint8Array.of(byte))
    reader.end()
    expect(cells).toEqual(['😀é\u2028x'])
  })
})

describe('times at the edge', () => {
  const at = (text: string): string | null => {
    const found = parseDateTime(text, 'ymd')
    return found && new Date(found.ms).toISOString()
  }

  it('keep the wall clock as written, also where the clock is turned', () => {
    const turned = ['2026-03-29 02:30:00', '2026-10-25 02:30:00']
    expect(turned.map(at)).toEqual(['2026-03-29T02:30:00.000Z', '2026-10-25T02:30:00.000Z'])
    expect(parseDateTime('2026-03-29 02:30:00', 'ymd')?.zoned).toBe(false)
  })

  it('are instants with an offset, whole hours or not', () => {
    const zoned = ['2026-01-01T00:00:00+14:00', '2026-01-01T00:00:00-12:00', '2026-01-01T00:00:00+05:30']
    expect(zoned.map(at)).toEqual(['2025-12-31T10:00:00.000Z', '2026-01-01T12:00:00.000Z', '2025-12-31T18:30:00.000Z'])
  })

  it('know leap days, the first day and the last', () => {
    expect(
      ['2024-02-29', '2023-02-29', '1900-02-29', '2000-02-29', '1970-01-01', '9999-12-31'].map(
        (text) => at(text) !== null,
      ),
    ).toEqual([true, false, false, true, true, true])
  })

  it('are never guessed from counts of seconds or days', () => {
    const { columns } = inspect('epoch,serial\n1767225600,60\n1767312000,61\n')
    expect(columns.map(({ type }) => type)).toEqual(['integer', 'integer'])
  })
})
