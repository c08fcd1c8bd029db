import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { writeXlsx, writeXlsxStream } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { xlsReader } from './binary/xls-reader'
import { odsReader } from './ods-reader'
import { xlsxReader } from './xlsx-reader'
import { createXlsxStream } from './xlsx-writer'
import { onlyTable, openWorkbook, refusalOf } from '../../../test/worker/workbooks'

const LONG = env.LONG === '1'
const FILES = import.meta.glob<string>('../../../test/fixtures/workbooks/*__*', {
  query: '?inline',
  import: 'default',
  eager: true,
})
const files = new Map(
  Object.entries(FILES).map(([path, url]) => {
    const binary = atob(url.slice(url.indexOf(',') + 1))
    return [path.slice(path.lastIndexOf('/') + 1), Uint8Array.from(binary, (c) => c.charCodeAt(0))] as const
  }),
)
const file = (name: string): Uint8Array => {
  const bytes = files.get(name)
  if (!bytes) throw new Error(`no fixture ${name}`)
  return bytes
}

describe('workbooks that others wrote', () => {
  it('are told by their bytes', () => {
    for (const [name, bytes] of files) {
      expect(odsReader.recognises(bytes, 'x'), name).toBe(name.endsWith('.ods'))
      // One with a password is in the container of older ones.
      const isOld = name.endsWith('.xls') || name.includes('protected')
      expect(xlsReader.recognises(bytes, 'x'), name).toBe(isOld)
      expect(xlsxReader.recognises(bytes, 'x'), name).toBe(!isOld && !name.endsWith('.ods'))
    }
    for (const other of ['a,b\n1,2\n', 'PK\u0003\u0004', '', '{"a":1}'])
      expect(xlsxReader.recognises(new TextEncoder().encode(other), 'a.xlsx'), other).toBe(false)
  })

  it('of an older kind are read, in the calendar from 1904', async () => {
    expect((await onlyTable(file('sheetjs__1904_1904.xls'))).rows.slice(0, 2)).toEqual([
      ['1', '1904-01-02', '1904-01-02', '1904-01-02'],
      ['11', '1904-01-12', '1904-01-12', '1904-01-12'],
    ])
  })

  it.each(['calamine__pass_protected.xlsx', 'sheetjs__password_2002_40_xor.xls'])(
    'that need a password are refused and say so: %s',
    async (name) => {
      const refusal = await refusalOf(file(name))
      expect(refusal.reason).toBe('encrypted')
      expect(refusal.message).toContain('password-protected')
    },
  )

  it('that are empty or cut off are refused as such', async () => {
    expect((await refusalOf(new Uint8Array())).reason).toBe('empty')
    const whole = file('sheetjs__sheet_visibility.xlsx')
    expect((await refusalOf(whole.subarray(0, (whole.length * 2) / 3))).reason).toBe('broken')
  })

  it('hold a table in the middle of a sheet, with titles above, dates and durations', async () => {
    expect((await onlyTable(file('calamine__temperature-in-middle.xlsx'))).rows).toEqual([
      ['label', 'value'],
      ['celsius', '22.2222'],
      ['fahrenheit', '72'],
    ])
    expect((await onlyTable(file('calamine__header-row.xlsx'))).lines).toEqual([3, 9, 10])
    expect((await onlyTable(file('calamine__date.xlsx'))).rows[2]).toEqual(['255.16944444444445', '17'])
    expect((await openWorkbook(file('sheetjs__merge_cells.ods'))).tables).toHaveLength(1)
  })
})

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('0012', '_x', 'a\nb', ' lead', '=1+1', '<&>"\'', '-', 'å', '12345678901234567890'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.date({ min: new Date('1901-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
  fc.constant(null),
)
type Cell = string | number | boolean | Date | null

/** A cell as it must come back: XML holds no control characters, a workbook no more than milliseconds. */
function wanted(value: Cell): string | null {
  if (value === null || value === '') return null
  if (value instanceof Date) {
    const iso = value
      .toISOString()
      .slice(0, -1)
      .replace(/\.000$/, '')
    return iso.endsWith('T00:00:00') ? iso.slice(0, 10) : iso
  }
  return Object.is(value, -0) ? '0' : String(value)
}
const xmlText = (text: string): boolean =>
  !/[\u0000-\u0008\u000b-\u001f\ufffe\uffff\r]/.test(text) && text.isWellFormed()

describe('what the writer of workbooks writes', () => {
  it('keeps words that look like an escaped sign', async () => {
    const rows = (async function* () {
      yield ['_x000D_', 'a_x0041_b', '_x005F_']
    })()
    const bytes = new Uint8Array(await new Response(createXlsxStream([{ name: 'S', columns: [], rows }])).arrayBuffer())
    expect((await onlyTable(bytes)).rows).toEqual([['_x000D_', 'a_x0041_b', '_x005F_']])
  })

  it('is read back the same, with shared and with inline texts', async () => {
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(rows, fc.boolean(), async (given, streamed) => {
        const clean = given.map((row) =>
          row.map((value) => (typeof value === 'string' && !xmlText(value) ? 'x' : value)),
        )
        // The first column anchors the range, so that positions stay.
        const all = clean.map((row) => ['anchor', ...row])
        const bytes = streamed
          ? new Uint8Array(await new Response(writeXlsxStream(all, { name: 'S' })).arrayBuffer())
          : await writeXlsx({ sheets: [{ name: 'S', rows: all }] })
        const { rows: got } = await onlyTable(bytes)
        all.forEach((row, at) => {
          row.forEach((value, column) => expect(got[at]?.[column] ?? null).toBe(wanted(value)))
        })
      }),
      { numRuns: LONG ? 2000 : 35 },
    )
  })
})
