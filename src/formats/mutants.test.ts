import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvSettingsSchema, fileColumnSchema } from '../shared/data-sources/files'
import { ProductError } from '../shared/errors'
import { openFile, type CollectedTable } from '../../test/suites/open-file'
import type { MadeBinaryWorkbook } from '../../test/worker/binary-workbooks/cells'
import { compoundFileOf } from '../../test/worker/binary-workbooks/compound-file'
import { xlsOf, xlsStream } from '../../test/worker/binary-workbooks/xls'
import { xlsbOf } from '../../test/worker/binary-workbooks/xlsb'
import { loadCsv } from '../../test/worker/csv-load'
import { fixtureFiles } from '../../test/worker/fixture-files'
import { SIE5_LEDGER } from '../../test/worker/ledgers/sie5-ledger'
import {
  JSON_SIGNS,
  flippedOf,
  expectNoHang,
  mutantsInside,
  mutantsOf,
  mutationRuns,
  RUN_MS,
} from '../../test/worker/mutated-files'
import type { FormatReader } from './contract'
import { CP850 } from './encoding/text-decoder'
import { inspectCsv } from './inference/inspect-csv'
import { jsonReader } from './json/json-reader'
import { parquetReader } from './parquet/parquet-reader'
import { sieReader } from './sie/sie-reader'
import { xlsReader } from './workbook/binary/xls-reader'
import { odsReader } from './workbook/ods-reader'
import { xlsxReader } from './workbook/xlsx-reader'

type Files = ReadonlyMap<string, Uint8Array>
/** One kind of file: mutants of it, and a reading that throws a ProductError or whatever is a fault. */
interface Kind {
  kind: string
  mutants: fc.Arbitrary<Uint8Array | Promise<Uint8Array>>
  /** @returns signs of all the cells that came out */
  read: (bytes: Uint8Array) => Promise<number>
  /** Of a text nearly everything can be read as something. */
  isLenient?: true
}

const filesIn = (imported: Record<string, string>): Files => fixtureFiles(imported)
const csvFiles = filesIn(
  import.meta.glob<string>('../../test/fixtures/*__*', { query: '?inline', import: 'default', eager: true }),
)
const jsonFiles = filesIn(
  import.meta.glob<string>('../../test/fixtures/json/*', { query: '?inline', import: 'default', eager: true }),
)
const sieFiles = filesIn(
  import.meta.glob<string>('../../test/fixtures/sie/*', { query: '?inline', import: 'default', eager: true }),
)
const parquetFiles = filesIn(
  import.meta.glob<string>('../../test/fixtures/parquet/*', { query: '?inline', import: 'default', eager: true }),
)
const workbooks = filesIn(
  import.meta.glob<string>('../../test/fixtures/workbooks/*__*', { query: '?inline', import: 'default', eager: true }),
)
const DOS_TEXT = 'Kund; Ort; Belopp\nÅkeri; "Växjö; Öst"; 1 234,50\nBåt; "Malmö"; (5,00) kr\nSumma; ; 1 229,50\n'
const dosFile = Uint8Array.from(DOS_TEXT, (char) => (char < '\u0080' ? char.charCodeAt(0) : 0x80 + CP850.indexOf(char)))

const BOOK: MadeBinaryWorkbook = {
  sheets: [
    {
      name: 'Ordrar',
      cells: [
        ...['Kund', 'Datum', 'Belopp'].map((text, n) => ({ at: [0, n] as const, text })),
        ...Array.from({ length: 40 }, (_, n) => [
          { at: [n + 1, 0] as const, shared: n % 3 },
          { at: [n + 1, 1] as const, number: 45_000 + n, style: 1, rk: true as const },
          { at: [n + 1, 2] as const, numbers: [n, n / 100], style: 2 },
          { at: [n + 1, 4] as const, formula: n % 2 === 0 ? `rad ${n}` : n / 7 },
        ]).flat(),
        ...[
          { at: [42, 0] as const, boolean: true },
          { at: [42, 1] as const, error: 7 },
        ],
      ],
      merges: [{ rows: [0, 0], columns: [2, 3] }],
    },
    { name: 'Blad2', cells: [{ at: [3, 3], text: 'ensam' }], state: 'hidden' },
  ],
  strings: ['Åkeri Väst', '東京', 'x'.repeat(500)],
  formats: ['yyyy-mm-dd', '#,##0.00 [$kr-41D]'],
}
const xlsStreams: Files = new Map([
  ['biff8', xlsStream(BOOK, { continueAfter: 200 })],
  ['biff5', xlsStream(BOOK, { biff: 5, codePage: 1252 })],
])
const xlsFiles: Files = new Map([
  ...[...workbooks].filter(([name]) => name.endsWith('.xls')),
  ['made.xls', xlsOf(BOOK, { continueAfter: 200 })],
])
const RECORD_SIGNS = ['\u0009\u0008\u0010\0', '\u000a\0\0\0', '\u003c\0', '\u00ff\u00ff', '\0\0\0\0', '\u007f']
const TAG_SIGNS = [
  '-1',
  '99999999999',
  '&x;',
  '<!DOCTYPE a>',
  '<c>',
  '</row>',
  '"',
  '1048576',
  'NaN',
  '1e999',
  '<![CDATA[',
]
const ZIP_SIGNS = ['PK\u0003\u0004', 'PK\u0001\u0002', 'PK\u0005\u0006', '\0', '\u007f']

const named = (files: Files, end: string): Files => new Map([...files].filter(([name]) => name.endsWith(end)))
const isZip = ([first]: Uint8Array): boolean => first === 0x50
/** Signs of all cells; each row must stand in its line. */
const signsIn = (tables: CollectedTable[]): number =>
  tables.reduce((sum, { rows }) => sum + rows.flat().reduce((length, cell) => length + (cell?.length ?? 0), 0), 0)

const opened =
  (reader: FormatReader, judge: (table: CollectedTable) => void = () => undefined, pieces?: number): Kind['read'] =>
  async (bytes) => {
    reader.recognises(bytes.subarray(0, 65_536), 'a')
    const { tables } = await openFile(reader, { name: 'a', bytes }, pieces)
    for (const table of tables) {
      expect(table.lines.every((line) => line >= 1)).toBe(true)
      judge(table)
    }
    return signsIn(tables)
  }
/** Tables that name their columns themselves: no name twice, and every row under them. */
const hasItsColumns =
  (isWide: (row: number, columns: number) => boolean) =>
  ({ rows, hints }: CollectedTable): void => {
    // Lists of lists have their cells by position, and no names.
    if (hints.length === 0) return
    expect(rows.every((row) => isWide(row.length, hints.length))).toBe(true)
    expect(new Set(hints.map(({ label }) => label)).size).toBe(hints.length)
  }
const same = (row: number, columns: number): boolean => row === columns

async function readCsv(bytes: Uint8Array): Promise<number> {
  const found = inspectCsv({ fileName: 'file.csv', size: bytes.length, head: bytes }, { leaveOutTotals: true })
  expect(csvSettingsSchema.safeParse(found.settings).success).toBe(true)
  expect(found.columns.every((column) => fileColumnSchema.safeParse(column).success)).toBe(true)
  expect(loadCsv(bytes, found).rows).toBe(found.rows.count)
  return Promise.resolve(0)
}

const CSV_SIGNS = [
  '"',
  '\r',
  '\n\n',
  ';',
  ',,,,',
  '\0',
  '\ufeff',
  '"\n',
  '\\"',
  "'",
  'é',
  '"x,',
  ', "',
  '  ',
  '\nTotal,',
  '#',
]
/** Records are cut anywhere. */
const JSON_PIECE_BYTES = 97
const SIE_SIGNS = [
  ...['"', '{', '}', '#', '\\"', '\r', '\n', '\n#VER A 1 20250101\n{\n', '#TRANS 1 {9 "9"} 1', '\0', ' ', 'å', '-'],
]
const PARQUET_SIGNS = ['PAR1', 'PARE', '\0', '\u007f', '\u0015\u0000', '\u0003', '\ufffd']

const xlsxFiles = named(workbooks, '.xlsx')
const odsFiles = named(workbooks, '.ods')
const xlsbFile = await xlsbOf(BOOK)
const zipsOf = (files: Files): Uint8Array[] => [...files.values()].filter(isZip)

const KINDS: readonly Kind[] = [
  {
    kind: 'CSV',
    mutants: mutantsOf(new Map([...csvFiles, ['dos.csv', dosFile]]), CSV_SIGNS),
    read: readCsv,
    isLenient: true,
  },
  {
    kind: 'JSON',
    mutants: mutantsOf(jsonFiles, JSON_SIGNS),
    read: opened(jsonReader, hasItsColumns(same), JSON_PIECE_BYTES),
  },
  {
    kind: 'SIE',
    mutants: mutantsOf(sieFiles, SIE_SIGNS),
    read: opened(
      sieReader,
      hasItsColumns((row, columns) => row <= columns),
    ),
    isLenient: true,
  },
  {
    kind: 'SIE 5',
    mutants: mutantsOf(new Map([['a.sie', new TextEncoder().encode(SIE5_LEDGER)]]), [
      ...TAG_SIGNS,
      '/>',
      '<!--',
      '"-5"',
    ]),
    read: opened(
      sieReader,
      hasItsColumns((row, columns) => row <= columns),
    ),
  },
  {
    kind: 'Parquet',
    mutants: fc.oneof(flippedOf(parquetFiles), mutantsOf(parquetFiles, PARQUET_SIGNS)),
    read: opened(parquetReader, hasItsColumns(same)),
  },
  {
    kind: 'XLSX',
    mutants: fc.oneof(mutantsOf(xlsxFiles, ZIP_SIGNS), await mutantsInside(zipsOf(xlsxFiles), TAG_SIGNS)),
    read: opened(xlsxReader),
  },
  {
    kind: 'ODS',
    mutants: fc.oneof(mutantsOf(odsFiles, ZIP_SIGNS), await mutantsInside(zipsOf(odsFiles), TAG_SIGNS)),
    read: opened(odsReader),
  },
  {
    kind: 'XLS',
    mutants: fc.oneof(
      flippedOf(xlsFiles),
      mutantsOf(xlsFiles, RECORD_SIGNS),
      fc
        .oneof(flippedOf(xlsStreams), mutantsOf(xlsStreams, RECORD_SIGNS))
        .map((Workbook) => compoundFileOf({ Workbook })),
    ),
    read: opened(xlsReader),
  },
  { kind: 'XLSB', mutants: await mutantsInside([xlsbFile], RECORD_SIGNS), read: opened(xlsxReader) },
]

/** Signs that a file may give for each of its bytes, beyond what is free: names of columns stand in every table. */
const GROWTH_MAX = 200
const GROWTH_FREE = 1024 * 1024

describe('mutated files', () => {
  it.each(KINDS)(
    'of kind $kind are read or refused with a sentence, never crash, hang or grow',
    async ({ mutants, read, isLenient = false }) => {
      const outcomes = new Set<unknown>()
      const property = fc.asyncProperty(mutants, async (made) => {
        const bytes = await made
        await expectNoHang(async () => {
          try {
            expect(await read(bytes)).toBeLessThan(GROWTH_FREE + bytes.length * GROWTH_MAX)
            outcomes.add('read')
          } catch (error) {
            if (!(error instanceof ProductError)) throw error
            expect(error.message.length).toBeGreaterThan(20)
            outcomes.add(error.code)
          }
        })
      })
      await fc.assert(property, mutationRuns())
      // Mutants get past the first look at a file: some are read, and of what is packed or strict some are refused.
      expect([...outcomes]).toEqual(expect.arrayContaining(isLenient ? ['read'] : ['read', 'file_unreadable']))
    },
    RUN_MS,
  )
})
