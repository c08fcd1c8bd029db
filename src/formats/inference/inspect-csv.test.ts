import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspectCsv } from './inspect-csv'
import { ProductError } from '../../shared/errors'
import { fileColumnSchema } from '../../shared/data-sources/files'
import type { CsvSettings, FileColumn, FileInspection } from '../../shared/data-sources/files'
import { PREVIEW_ROWS, SAMPLE_WINDOW_BYTES } from '../../shared/limits'
import { loadCsv } from '../../../test/worker/csv-load'
import { fixtureFiles } from '../../../test/worker/fixture-files'

const LONG = env.LONG === '1'
const HANG_MS = 5_000

/** The files under test/fixtures, byte for byte. */
const fixtures = fixtureFiles(
  import.meta.glob<string>('../../../test/fixtures/*__*', { query: '?inline', import: 'default', eager: true }),
)
const fixture = (name: string): Uint8Array => {
  const bytes = fixtures.get(name)
  if (!bytes) throw new Error(`no fixture ${name}`)
  return bytes
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const inspect = (file: string | Uint8Array, given?: Partial<CsvSettings>): FileInspection => {
  const head = typeof file === 'string' ? utf8(file) : file
  return inspectCsv({ fileName: 'file.csv', size: head.length, head }, given)
}
const refusal = (file: string | Uint8Array, given?: Partial<CsvSettings>): ProductError => {
  try {
    inspect(file, given)
  } catch (error) {
    if (error instanceof ProductError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
const column = (inspection: FileInspection, label: string): FileColumn => {
  const found = inspection.columns.find((one) => one.label === label)
  if (!found) throw new Error(`no column ${label}`)
  return found
}
const types = (text: string): string[] => inspect(text).columns.map(({ type }) => type)
const codes = (text: string): string[] => inspect(text).warnings.map(({ code }) => code)

describe('inspecting a file', () => {
  it.each([
    ['derived__nordic_cp1252_semicolon.csv', 'windows-1252', ';', 0, 'ymd'],
    ['derived__nordic_utf16le_tab.txt', 'utf-16le', '\t', 0, 'ymd'],
    ['derived__nordic_excel_sep_line.csv', 'utf-8', ';', 1, 'ymd'],
    ['derived__nordic_dmy_dates.csv', 'utf-8', ';', 0, 'dmy'],
  ])('reads a Nordic export as it is meant: %s', (name, encoding, delimiter, skipLines, dateOrder) => {
    const bytes = fixture(name)
    const found = inspect(bytes)
    expect(found.settings).toMatchObject({ encoding, delimiter, skipLines, dateOrder, decimalMark: ',', header: true })
    expect(found.rows).toEqual({ count: 213, exact: true })
    expect(column(found, 'Företag')).toMatchObject({ type: 'text', role: 'dimension' })
    expect(column(found, 'Ordernr')).toMatchObject({ type: 'integer', role: 'id' })
    expect(column(found, 'Datum')).toMatchObject({ type: 'date', role: 'time' })
    expect(column(found, 'Belopp')).toMatchObject({ type: 'number', scale: 2, role: 'measure' })
    expect(found.warnings).toEqual([])
    expect(found.preview).toHaveLength(PREVIEW_ROWS)
    expect(found.typedPreview[0]?.slice(4, 7)).toEqual(['1996-07-24', 'Chang', 35])
    expect(loadCsv(bytes, found)).toEqual({ rows: 213, rejects: 0 })
  })

  it('reads currencies written in the cells, and proposes them as the format', () => {
    const found = inspect(fixture('own__currency_signs.csv'))
    expect(found.columns.map(({ format }) => format)).toEqual([
      { style: 'plain' },
      { style: 'currency', currency: 'USD' },
      { style: 'currency', currency: 'EUR' },
      { style: 'currency', currency: 'SEK' },
    ])
    expect(found.columns.slice(1).map(({ decimalMark }) => decimalMark)).toEqual(['.', ',', ','])
    expect(found.typedPreview[0]).toEqual([1, 1234.56, 1234.56, 1234.56])
  })

  it('names the column of currencies without pairing it with an amount', () => {
    const found = inspect('amount,currency\n1.50,SEK\n2.25,EUR\n')
    expect(column(found, 'currency').role).toBe('currency')
    expect(column(found, 'amount').format).toEqual({ style: 'plain' })
    expect(found.warnings.map(({ code }) => code)).toEqual(['currency_column'])
  })

  it('keeps percents as exact fractions', () => {
    const found = inspect('name;share\na;12,4 %\nb;7 %\n')
    expect(column(found, 'share')).toMatchObject({ type: 'number', scale: 3, format: { style: 'percent' } })
    expect(found.typedPreview.map((row) => row[1])).toEqual([0.124, 0.07])
  })

  it('keeps ids with leading zeros, long digit strings, phone numbers and odd numbers as text', () => {
    const head = 'zip,long,phone,beyond,mixed,n\n'
    const row = '08123,12345678901234567,+46701234567,9007199254740993,"1,2,3",1\n'
    expect(types(head + row.repeat(3))).toEqual(['text', 'text', 'text', 'text', 'text', 'integer'])
  })

  it('guesses no date from eight digits without a name for it', () => {
    expect(types('code,n\n20260131,1\n20260201,2\n')).toEqual(['integer', 'integer'])
    expect(types('Datum,n\n20260131,1\n20260201,2\n')).toEqual(['date', 'integer'])
  })

  it('says what a column of texts writes where it has no value, and reads it so unless it may be a value', () => {
    const marker = (...values: string[]): unknown => {
      const found = inspect(`Region;Sold\n${values.map((value, at) => `${value};${at}`).join('\n')}\n`)
      const { emptyMarker } = column(found, 'Region')
      expect(found.warnings.map(({ code }) => code).includes('empty_marker')).toBe(emptyMarker !== undefined)
      return emptyMarker && found.typedPreview.map(([region]) => region)
    }
    expect(marker('North', 'NULL', 'South', 'null')).toEqual(['North', null, 'South', null])
    expect(marker('North', '-', 'South')).toEqual(['North', null, 'South'])
    expect(marker('-', '+', '+'), 'a sign among signs').toBeUndefined()
    expect(marker('North', 'NA', 'South'), 'Namibia').toBeUndefined()
    expect(marker('North', 'NULL', 'N/A', 'South'), 'two of them differ').toBeUndefined()
    expect(marker('North', 'None', 'South')).toBeUndefined()
  })

  it('takes 0 and 1 for yes and no only when the name asks', () => {
    expect(types('n,is_paid,count\n1,0,0\n2,1,1\n')).toEqual(['integer', 'boolean', 'integer'])
    expect(types('n,paid,ok\n1,ja,TRUE\n2,nej,FALSE\n')).toEqual(['integer', 'boolean', 'boolean'])
  })

  it('types a column by 98 of 100 values, and leaves it text below', () => {
    const rows = (bad: number): string => Array.from({ length: 100 }, (_, i) => (i < bad ? 'x' : String(i))).join('\n')
    expect(types(`n\n${rows(2)}\n`)).toEqual(['integer'])
    expect(types(`n\n${rows(3)}\n`)).toEqual(['text'])
    expect(codes(`n\n${rows(3)}\n`)).toEqual(['mixed_formats'])
  })

  it('settles the order of dates by column, and says which order it took where both fit', () => {
    const sure = inspect('a,b\n13/01/2026,01/13/2026\n01/02/2026,01/02/2026\n')
    expect(sure.columns.map(({ dateOrder }) => dateOrder)).toEqual(['dmy', 'mdy'])
    expect(sure.warnings).toEqual([])
    const open = inspect('day\n01/02/2026\n03/04/2026\n')
    expect(open.warnings).toMatchObject([{ code: 'ambiguous_dates', column: 'day' }])
    expect(open.warnings[0]?.message).toMatch(/month first, the usual order with slashes/)
    const chosen = inspect('day\n01/02/2026\n03/04/2026\n', { dateOrder: 'dmy' })
    expect(chosen.typedPreview[0]).toEqual(['2026-02-01'])
    expect(chosen.settings.dateOrder).toBe('dmy')
  })

  it('settles decimals or thousands by what other columns prove', () => {
    const found = inspect('a;b\n1.234;5,5\n2.345;6,25\n')
    expect(found.columns.map(({ type }) => type)).toEqual(['integer', 'number'])
    expect(found.typedPreview[0]).toEqual([1234, 5.5])
    expect(found.warnings).toMatchObject([{ code: 'mixed_formats', column: 'a' }])
    expect(inspect('a,b\n1.234,5.5\n2.345,6.25\n').typedPreview[0]).toEqual([1.234, 5.5])
  })

  it('lets corrections win, and reads everything else again by them', () => {
    const text = 'Report\nname;amount\nx;1,5\ny;2,5\n'
    expect(inspect(text).settings).toMatchObject({ delimiter: ';', skipLines: 1, header: true, decimalMark: ',' })
    const given = { delimiter: ',', skipLines: 0, header: false } as const
    const found = inspect('a;b,1\nc;d,2\n', given)
    expect(found.settings).toMatchObject(given)
    expect(found.columns.map(({ label, type }) => [label, type])).toEqual([
      ['Column 1', 'text'],
      ['Column 2', 'integer'],
    ])
    expect(inspect(utf8('näme\nå\n'), { encoding: 'windows-1252' }).columns[0]?.label).toBe('nÃ¤me')
  })

  it('makes headings readable and unique, whatever they hold', () => {
    const found = inspect('"a""; drop table x;--",__proto__,A,a,,constructor,rowid,\u202eb\0c\n1,2,3,4,5,6,7,8\n')
    const labels = found.columns.map(({ label }) => label)
    expect(labels).toEqual(['a"; drop table x;--', '__proto__', 'A', 'a (2)', 'Column 5', 'constructor', 'rowid', 'bc'])
    expect(found.warnings.map(({ code }) => code)).toEqual(['duplicate_headers', 'empty_headers', 'nul_bytes'])
    expect(Object.keys({})).toEqual([])
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('label')
  })

  it('says nothing of the column that a separator at the end of every line leaves behind', () => {
    const found = inspect('day,USD,SEK,\n2026-01-02,1.1,11.2,\n2026-01-05,1.2,11.3,\n')
    expect(found.columns.map(({ label, include }) => [label, include])).toEqual([
      ...[
        ['day', true],
        ['USD', true],
        ['SEK', true],
      ],
      ['Column 4', false],
    ])
    expect(found.warnings).toEqual([])
  })

  it('keeps hostile headings of every kind unique and within bounds', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom('__proto__', 'constructor', 'a', 'A', 'a (2)', '', 'Column 2', ']', 'sqlite_x', '_cf_KV'),
    )
    fc.assert(
      fc.property(fc.array(name, { minLength: 2, maxLength: 20 }), (names) => {
        const write = (text: string): string => `"${text.replaceAll('"', '""')}"`
        const found = inspect(`${names.map(write).join(',')}\n${names.map((_, i) => i + 1).join(',')}\n`, {
          header: true,
        })
        const labels = found.columns.map(({ label }) => label)
        expect(new Set(labels.map((label) => label.toLowerCase())).size).toBe(labels.length)
        for (const one of found.columns) expect(fileColumnSchema.safeParse(one).success).toBe(true)
      }),
      { numRuns: LONG ? 10_000 : 500 },
    )
  })

  it.each([
    ['ragged_rows', 'a,b\n1,2\n3,4,5\n6,7\n'],
    ['ragged_rows', 'a,b,c\n1,2,3\n3,4\n5,6,7\n8,9,1\n'],
    ['comment_lines', '# made by x\na,b\n1,2\n'],
    ['empty_rows', 'a,b,c\n'],
    ['totals_row', 'name,amount\nx,1\ny,2\nTotal,3\n'],
    ['mixed_formats', 'n\n1,5\n2.5\n3,5\n'],
    ['mixed_formats', 'n,price\n1,$5\n2,€6\n'],
  ])('warns with %s', (code, text) => expect(codes(text)).toContain(code))

  it('announces rows of another table below: those that the load rejects, and those that it leaves half empty', () => {
    const row = (_: unknown, i: number): string => `${i + 1},2026-01-0${(i % 9) + 1},Kund ${i},a,b,${i * 3 + 1}`
    const rows = Array.from({ length: 30 }, row).join('\n')
    const ragged = (below: string): string[] =>
      inspect(`Nr,Datum,Kund,Ort,Land,Antal\n${rows}\n${below}`).warnings.flatMap(({ code, message }) =>
        code === 'ragged_rows' ? [message] : [],
      )
    const half = '1 row has fewer values than the 6 columns, first on line 33. Missing values are left empty.'
    expect(ragged('\n31\n')).toEqual([half])
    expect(ragged('Person,Region\n31,2026-01-02\n')).toEqual([
      half.replace(', first on line 33', ''),
      '1 row doesn’t fit the columns, on line 32. This row is rejected.',
    ])
    expect(ragged('Person,Region\nAnna,West\n')).toEqual([
      '2 rows don’t fit the columns, first on line 32. These rows are rejected.',
    ])
  })

  it('finds UTF-16 without its mark, even when most of it is not Latin', () => {
    const wide = (text: string, little: boolean): Uint8Array => {
      const view = new DataView(new ArrayBuffer(text.length * 2))
      for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), little)
      return new Uint8Array(view.buffer)
    }
    const text = 'имя,сумма\nИванов Иван,5\nПетров Пётр,6\n'
    expect(inspect(wide(text, true)).settings.encoding).toBe('utf-16le')
    expect(inspect(wide(text, false)).settings.encoding).toBe('utf-16be')
    // NULs around a value are damage: the other line ends have none.
    expect(inspect(utf8('hello\n\0world\0\n'))).toMatchObject({ settings: { encoding: 'utf-8' }, preview: [['world']] })
  })

  it('finds old Windows letters that only come late in the file', () => {
    const bytes = utf8(`name,n\n${'abc,1\n'.repeat(400_000)}`)
    const tail = utf8(`${'abc,1\n'.repeat(1000)}F\u0000retag,2\n`)
    tail[tail.indexOf(0)] = 0xf6
    const sample = { fileName: 'x', size: bytes.length + tail.length, head: bytes.slice(0, SAMPLE_WINDOW_BYTES), tail }
    expect(inspectCsv(sample).settings.encoding).toBe('windows-1252')
  })

  it('estimates the rows of a large file from its bytes, and samples all of it', () => {
    const line = (i: number): string => `${String(i).padStart(7, '0').replace(/^0/, '1')},${i < 190_000 ? 'x' : '7'}\n`
    const bytes = utf8(`id,late\n${Array.from({ length: 400_000 }, (_, i) => line(i)).join('')}`)
    const window = SAMPLE_WINDOW_BYTES
    const found = inspectCsv({
      fileName: 'x',
      size: bytes.length,
      head: bytes.slice(0, window),
      middle: bytes.slice(bytes.length / 2 - 7, bytes.length / 2 + window),
      tail: bytes.slice(-window),
    })
    expect(found.rows.exact).toBe(false)
    expect(Math.abs(found.rows.count / 400_000 - 1)).toBeLessThan(0.01)
    expect(column(found, 'late').type).toBe('text')
    expect(column(found, 'id').type).toBe('integer')
  })
})

describe('refusing what is no table', () => {
  const bytes = (start: string, rest = '\0\0\0'): Uint8Array =>
    Uint8Array.from(start + rest, (c) => c.charCodeAt(0) & 0xff)
  it.each([
    ['an Excel workbook', bytes('PK\u0003\u0004', '\u0014\0[Content_Types].xml'), 'unsupported', /Excel workbook/],
    ['an old Excel workbook', bytes('\u00d0\u00cf\u0011\u00e0'), 'unsupported', /Excel workbook/],
    ['a zip archive', bytes('PK\u0003\u0004'), 'unsupported', /zip/],
    ['a PDF', bytes('%PDF-1.7\n'), 'unsupported', /PDF/],
    ['a Windows program', bytes('MZ\u0090'), 'unknown_kind', /program/],
    ['a Linux program', bytes('\u007fELF'), 'unknown_kind', /program/],
    ['a picture', bytes('\u0089PNG\r\n'), 'unknown_kind', /image/],
    ['a gzip file', bytes('\u001f\u008b\u0008'), 'unsupported', /gzip/],
    ['a Parquet file', bytes('PAR1'), 'unsupported', /Parquet/],
    ['a web page', utf8('\ufeff<!DOCTYPE html><html>'), 'unsupported', /web page/],
    ['JSON', utf8('[{"a":1}]'), 'unsupported', /JSON/],
    ['noise', Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251), 'unknown_kind', /Not a text table/],
    ['nothing', new Uint8Array(0), 'empty', /empty/],
    ['blank lines', utf8(' \n'.replace(' ', '').repeat(50)), 'empty', /empty/],
    ['a byte order mark alone', utf8('\ufeff'), 'empty', /empty/],
  ])('says what it is: %s', (_, file, reason, message) => {
    const error = refusal(file)
    expect(error.code).toBe('file_unreadable')
    expect(error.details).toMatchObject({ reason })
    expect(error.message).toMatch(message)
  })

  it('takes a table whose first heading only looks like another kind', () => {
    expect(inspect('MZ,n\na,1\nb,2\n').columns).toHaveLength(2)
    expect(inspect('PK,n\na,1\nb,2\n').columns).toHaveLength(2)
  })

  it('tells a quote that is never closed by its line, also in a file cut into windows', () => {
    const told = ({ warnings }: FileInspection) => warnings.find(({ code }) => code === 'stray_quotes')
    expect(told(inspect(fixture('duckdb__test__unterminated.csv')))).toMatchObject({ line: 1 })
    expect(told(inspect('a,b\n1,2\n3,"x\n4,5\n'))).toMatchObject({
      line: 3,
      message: '1 quote is never closed, on line 3, and read as text. Correct the file.',
    })
    expect(told(inspect('a,b\n1,"x" y\n3,z\n'))?.message).toMatch(/^1 cell has text after a closing quote, on line 2/)
    const head = utf8(`"${'x,y\n'.repeat(SAMPLE_WINDOW_BYTES / 4)}`).slice(0, SAMPLE_WINDOW_BYTES)
    expect(told(inspectCsv({ fileName: 'x', size: head.length * 3, head }))).toMatchObject({ line: 1 })
  })

  it('refuses 10 000 columns, a 2 MB cell and a 50 MB line within 5 s', () => {
    const started = performance.now()
    const wide = Array.from({ length: 10_000 }, (_, i) => `c${i}`).join(';')
    expect(refusal(`${wide}\n`).details).toMatchObject({ what: 'columns' })
    expect(refusal(`a,b\n1,${'x'.repeat(2_000_000)}\n`).details).toMatchObject({ reason: 'unsafe', line: 2 })
    const head = new Uint8Array(SAMPLE_WINDOW_BYTES).fill(97)
    expect(() => inspectCsv({ fileName: 'x', size: 50 * 1024 * 1024, head, tail: head })).toThrow(ProductError)
    expect(performance.now() - started).toBeLessThan(HANG_MS)
  })
})
