import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { ExtractedTables } from './extracted-tables'
import { OutputBudget } from './output-budget'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { fixtureFiles } from '../../../test/worker/fixture-files'
import { uploadBytes } from '../../../test/worker/loads'
import { memorySource } from '../../../test/worker/memory-source'
import type { MadeBinaryWorkbook } from '../../../test/worker/binary-workbooks/cells'
import { xlsOf } from '../../../test/worker/binary-workbooks/xls'
import { xlsbOf } from '../../../test/worker/binary-workbooks/xlsb'
import { odsOf, xlsxOf } from '../../../test/worker/workbooks'
import { bytesOf, zipOf } from '../../../test/worker/zip'
import type { TableSink } from '../../formats/contract'
import { xlsxReader } from '../../formats/workbook/xlsx-reader'
import type { OpenedUpload } from '../../shared/data-sources/files'
import {
  OUTPUT_FREE_BYTES,
  OUTPUT_FREE_COLUMNAR_BYTES,
  OUTPUT_MAX_RATIO,
  OUTPUT_STRETCH_MAX_BYTES,
} from '../../shared/limits'

const files = fixtureFiles(
  import.meta.glob<string>('../../../test/fixtures/hostile/*', { query: '?inline', import: 'default', eager: true }),
)
const LONG = 'x'.repeat(30_000)
const COLUMNS = 60
const repeated = (text: string, times: number): string => Array.from({ length: times }, () => text).join('')
/** Rows whose cells all name the first shared text. */
const references = (rows: number): string => repeated(`<row>${repeated('<c t="s"><v>0</v></c>', COLUMNS)}</row>`, rows)
const workbook = (rows: number): Promise<Uint8Array> =>
  xlsxOf({ strings: [`<t>${LONG}</t>`], sheets: [{ name: 'S', rows: references(rows) }] })

/** The same as records. */
const binaryWorkbook = (rows: number): MadeBinaryWorkbook => ({
  sheets: [
    {
      name: 'S',
      cells: Array.from({ length: rows * COLUMNS }, (_, n) => ({
        at: [Math.floor(n / COLUMNS), n % COLUMNS] as const,
        shared: 0,
      })),
    },
  ],
  strings: [LONG],
})

const open = async (me: SignedIn, bytes: Uint8Array | string, name: string): Promise<Response> =>
  me.fetch(`/api/uploads/${await uploadBytes(me, bytesOf(bytes), name)}/open`, { method: 'POST' })

const ORDERS = 400
/** Keys of parents that stand above many rows. */
const parentKeys = (): string =>
  Array.from({ length: 4 }, (_, n) => `{"id":"${n}${LONG}","l":[${repeated('1,', ORDERS)}1]}`).join('\n')
const LEDGER = [
  ...['#FLAGGA 0', '#SIETYP 4', '#RAR 0 20250101 20251231', '#KONTO 1910 Kassa', `#OBJEKT 1 1 "${LONG}"`],
  ...['#VER A 1 20250101 x', '{', repeated('#TRANS 1910 {1 1} 0\n', 4 * ORDERS), '}'],
].join('\n')
const odsRow = `<table:table-row table:number-rows-repeated="2000"><table:table-cell office:value-type="string"><text:p>${LONG}</text:p></table:table-cell></table:table-row>`

/** Each of these is less than a hundred kilobytes, and stands for 40 MB of text or more. */
const HOSTILE: Record<string, () => Promise<[bytes: Uint8Array | string, name: string]>> = {
  'a shared text of a workbook': async () => [await workbook(20), 'a.xlsx'],
  'a shared text of a workbook of Excel 97': () => Promise.resolve([xlsOf(binaryWorkbook(20)), 'a.xls']),
  'a shared text of a binary workbook': async () => [await xlsbOf(binaryWorkbook(20)), 'a.xlsb'],
  'a dictionary of Parquet': async () => [files.get('own__long_dictionary.parquet') ?? '', 'a.parquet'],
  'the key of a parent in JSON': async () => [parentKeys(), 'a.ndjson'],
  'the name of an object in a ledger': async () => [LEDGER, 'a.se'],
  'a row of OpenDocument': async () => [await odsOf(`<table:table table:name="S">${odsRow}</table:table>`), 'a.ods'],
  'a workbook in an archive': async () => [await zipOf([{ name: 'a.xlsx', bytes: await workbook(20) }]), 'a.zip'],
}
const HANG_MS = 30_000

describe('a small file that stands for much text', () => {
  it.each(Object.keys(HOSTILE))('is refused with what to do: %s', { timeout: HANG_MS }, async (name) => {
    const [bytes, fileName] = (await HOSTILE[name]?.()) ?? ['', '']
    expect(bytes.length).toBeLessThan(200_000)
    const me = await signedIn()
    const answer = await open(me, bytes, fileName)
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      {
        code: 'file_unreadable',
        reason: 'unsafe',
        message: expect.stringMatching(/far more text.*Save each table as CSV/),
      },
    ])
  })

  it.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
    ['a.xlsx', () => workbook(1)],
    ['a.xls', () => xlsOf(binaryWorkbook(1))],
    ['a.xlsb', () => xlsbOf(binaryWorkbook(1))],
  ])('is opened while it stays below what is free: %s', { timeout: HANG_MS }, async (name, make) => {
    const me = await signedIn()
    const answer = await open(me, await make(), name)
    expect((await answer.json<OpenedUpload>()).tables).toMatchObject([{ rowCount: 1, columnCount: COLUMNS }])
  })

  it('shares what it may inflate to with the archives inside it', { timeout: HANG_MS }, async () => {
    const blank = repeated(' ', 6 * 1024 * 1024)
    const bomb = await xlsxOf({ sheets: [{ name: 'S', rows: `${references(1)}${blank}` }] })
    const me = await signedIn()
    const files = [1, 2, 3].map((n) => ({ name: `${n}.xlsx`, bytes: bomb }))
    const answer = await open(me, await zipOf(files), 'a.zip')
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'file_unreadable', reason: 'unsafe' }])
  })
})

describe('what an opening may write out', () => {
  const MB = 1024 * 1024
  const refused = expect.objectContaining({ code: 'file_unreadable' })
  const refusal = (work: () => void): unknown => {
    try {
      work()
    } catch (error) {
      return error
    }
    return null
  }
  const write = (budget: OutputBudget, bytes: number): void => {
    for (let left = bytes; left > 0; left -= MB) {
      budget.take(Math.min(left, MB))
      budget.endStretch()
    }
  }

  it('is a multiple of the file, from a floor on that is higher for columns', () => {
    expect(refusal(() => write(new OutputBudget(1), OUTPUT_FREE_BYTES))).toBeNull()
    expect(refusal(() => write(new OutputBudget(1), OUTPUT_FREE_BYTES + 1))).toEqual(refused)
    const columnar = new OutputBudget(1)
    columnar.readAs('parquet')
    expect(refusal(() => write(columnar, OUTPUT_FREE_COLUMNAR_BYTES))).toBeNull()
    expect(refusal(() => columnar.take(1))).toEqual(refused)
    expect(refusal(() => write(new OutputBudget(MB), OUTPUT_MAX_RATIO * MB))).toBeNull()
    expect(refusal(() => write(new OutputBudget(MB), OUTPUT_MAX_RATIO * MB + 1))).toEqual(refused)
  })

  it('is not raised by a columnar file in an archive', () => {
    const freeWith = (entry?: string): unknown => {
      const budget = new OutputBudget(1)
      const options = { files: env.FILES, nextKey: () => 'none', budget, offerTurn: () => Promise.resolve() }
      new ExtractedTables(options).sink('parquet', entry)
      return refusal(() => write(budget, OUTPUT_FREE_BYTES + 1))
    }
    expect([freeWith(), freeWith('tiny.parquet')]).toEqual([null, refused])
  })

  it('is at most two gigabytes, and at most a part of it between two turns of others', () => {
    const large = expect.objectContaining({ code: 'too_large', details: { what: 'file', max: 2048 * MB } })
    expect(refusal(() => write(new OutputBudget(2048 * MB), 2048 * MB))).toBeNull()
    expect(refusal(() => write(new OutputBudget(2048 * MB), 2048 * MB + 1))).toEqual(large)
    expect(refusal(() => new OutputBudget(2048 * MB).take(OUTPUT_STRETCH_MAX_BYTES))).toBeNull()
    expect(refusal(() => new OutputBudget(2048 * MB).take(OUTPUT_STRETCH_MAX_BYTES + 1))).toEqual(refused)
  })

  it('refuses a sheet before anything of it is written: its cells may be one long text many times over', async () => {
    const options = { files: env.FILES, nextKey: () => 'none', offerTurn: () => Promise.resolve() }
    const bytes = await workbook(2)
    const sink = new ExtractedTables({ ...options, budget: new OutputBudget(bytes.length) }).sink('xlsx')
    let tables = 0
    const watched: TableSink = {
      ...sink,
      table(spec) {
        tables += 1
        return sink.table(spec)
      },
    }
    await expect(xlsxReader.open(memorySource('a.xlsx', bytes), watched)).rejects.toEqual(refused)
    expect(tables).toBe(0)
  })

  it('says beforehand whether there is room, and takes nothing by it', () => {
    const budget = new OutputBudget(1)
    expect(refusal(() => budget.assertRoom(OUTPUT_FREE_BYTES))).toBeNull()
    expect(refusal(() => budget.assertRoom(OUTPUT_FREE_BYTES + 1))).toEqual(refused)
    expect(refusal(() => write(budget, OUTPUT_FREE_BYTES))).toBeNull()
    expect(refusal(() => budget.assertRoom(1))).toEqual(refused)
  })

  it('counts no more what was let go of', () => {
    const budget = new OutputBudget(1)
    write(budget, OUTPUT_FREE_BYTES)
    budget.giveBack(OUTPUT_FREE_BYTES)
    expect(refusal(() => write(budget, OUTPUT_FREE_BYTES))).toBeNull()
  })
})
