import fc from 'fast-check'
import { readXls } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { onlyTable, openWorkbook, refusalOf } from '../../../../test/worker/workbooks'
import { byteText, packed } from '../../../../test/worker/binary-workbooks/bytes'
import type { MadeCell } from '../../../../test/worker/binary-workbooks/cells'
import { compoundFileOf } from '../../../../test/worker/binary-workbooks/compound-file'
import { record, xlsOf, xlsStream } from '../../../../test/worker/binary-workbooks/xls'
import { memorySource } from '../../../../test/worker/memory-source'
import { concatBytes } from '../../../lib/concat-bytes'
import { detectFormat } from '../../registry'
import { openCompoundFile } from './compound-file'

const ONE: MadeCell[] = [{ at: [0, 0], number: 1 }]
const book = (cells: readonly MadeCell[], strings?: readonly string[]) => ({
  sheets: [{ name: 'Data', cells }],
  ...(strings ? { strings } : {}),
})
const shared = (count: number): MadeCell[] => Array.from({ length: count }, (_, n) => ({ at: [n, 0], shared: n }))

describe('an XLS workbook', () => {
  it('reads shared texts wherever a record ends amid them, narrow and wide', async () => {
    const texts = ['Kund', 'Ö'.repeat(90), 'plain words', '東京都', '', 'x'.repeat(300), 'slut', '漢字'.repeat(80)]
    for (const continueAfter of [16, 17, 31, 64, 100, 255, 8224]) {
      const { rows } = await onlyTable(xlsOf(book(shared(texts.length), texts), { continueAfter }))
      expect(rows.map(([text]) => text ?? '')).toEqual(texts.filter((text) => text !== ''))
    }
  })

  it('takes only as many shared texts as the list announces', async () => {
    const stream = xlsStream(book(shared(3), ['a', 'b', 'c']))
    const at = stream.findIndex((byte, n) => byte === 0xfc && stream[n + 1] === 0)
    stream.set(packed([4, 2]), at + 8)
    const found = await onlyTable(compoundFileOf({ Workbook: stream }))
    expect(found.rows).toEqual([['a'], ['b']])
  })

  it('is read where its last sector is not written to the end', async () => {
    const bytes = compoundFileOf({ Workbook: xlsStream(book([{ at: [0, 0], text: 'x' }])) })
    expect((await onlyTable(bytes.subarray(0, bytes.length - 40))).rows).toEqual([['x']])
    expect((await refusalOf(bytes.subarray(0, bytes.length - 1024))).reason).toBe('broken')
  })

  it('reads a long text that a formula gives, over several records', async () => {
    const long = 'värde '.repeat(2000)
    const half = long.length / 2
    const formula = record(6, [2, 0], [2, 0], [2, 0], [2, 0], [2, 0], [2, 0], [2, 0xffff], [2, 0], [4, 0], [2, 0])
    const parts = [
      record(0x207, [2, long.length], [1, 0], byteText(long.slice(0, half))),
      record(0x3c, [1, 0], byteText(long.slice(half))),
    ]
    const stream = xlsStream(book([{ at: [1, 0], text: 'next' }]))
    const bof = stream.findLastIndex((byte, n) => byte === 9 && stream[n + 1] === 8)
    const cut = bof + 20
    const bytes = compoundFileOf({
      Workbook: concatBytes([stream.subarray(0, cut), formula, ...parts, stream.subarray(cut)]),
    })
    expect((await onlyTable(bytes)).rows).toEqual([[long], ['next']])
  })

  it('leaves a formula empty whose text was never saved, and says so', async () => {
    const found = await onlyTable(
      xlsOf(
        book([
          { at: [0, 0], formula: null },
          { at: [0, 1], text: 'b' },
        ]),
      ),
    )
    expect(found.rows).toEqual([['b']])
    expect(found.warnings.map(({ code }) => code)).toEqual(['formulas_without_value'])
  })

  it('puts cells in order that were written in another', async () => {
    const cells = [0, 1, 2].flatMap((column) =>
      [2, 0, 1].map((row): MadeCell => ({ at: [row, column], number: row * 10 + column })),
    )
    const { rows, lines } = await onlyTable(xlsOf(book(cells)))
    expect(lines).toEqual([1, 2, 3])
    expect(rows).toEqual([
      ['0', '1', '2'],
      ['10', '11', '12'],
      ['20', '21', '22'],
    ])
  })

  it.each([
    [1252, 'Åkeri “Väst”', (): Uint8Array => byteText('\u00c5keri \u0093V\u00e4st\u0094')],
    [1251, 'Счёт', (): Uint8Array => byteText('\u00d1\u00f7\u00b8\u00f2')],
    [10_000, 'Malmö', (): Uint8Array => byteText('Malm\u009a')],
    [850, 'Växjö', (): Uint8Array => byteText('V\u0084xj\u0094')],
    [932, '東京', (): Uint8Array => byteText('\u0093\u008c\u008b\u009e')],
  ])('of Excel 95 is read by its code page: %i', async (codePage, text, bytes) => {
    const encode = (value: string): Uint8Array => (value === text ? bytes() : byteText(value))
    const { tables } = await openWorkbook(
      xlsOf(
        {
          sheets: [
            {
              name: text,
              cells: [
                { at: [0, 0], text },
                { at: [0, 1], text, rich: true },
                { at: [1, 0], formula: text },
              ],
            },
          ],
        },
        { biff: 5, codePage, encode },
      ),
    )
    expect(tables.map(({ name }) => name)).toEqual([text])
    expect(tables[0]?.rows).toEqual([
      [text, text],
      [text, null],
    ])
  })

  it('is read without its container, as some programs write it', async () => {
    const stream = xlsStream(book(ONE), { biff: 5, codePage: 1252 })
    const found = detectFormat(stream, 'a.xls')
    expect(typeof found === 'string' ? found : found.kind).toBe('xls')
    expect((await onlyTable(stream)).rows).toEqual([['1']])
  })

  it('is read from the stream of Excel 97 where the file holds one of Excel 95 too', async () => {
    const bytes = compoundFileOf({
      Book: xlsStream(book([{ at: [0, 0], text: 'old' }]), { biff: 5 }),
      Workbook: xlsStream(book([{ at: [0, 0], text: 'new' }])),
    })
    expect((await onlyTable(bytes)).rows).toEqual([['new']])
  })

  it('is refused with what to do: a password, another document, Excel 4', async () => {
    const locked = xlsOf(book(ONE), { early: [record(0x2f, [2, 0], [4, 0])] })
    expect(await refusalOf(locked)).toMatchObject({ reason: 'encrypted' })
    expect(
      await refusalOf(compoundFileOf({ EncryptedPackage: new Uint8Array(9), EncryptionInfo: new Uint8Array(9) })),
    ).toMatchObject({
      reason: 'encrypted',
    })
    const document = await refusalOf(compoundFileOf({ WordDocument: new Uint8Array(5000) }))
    expect(document).toMatchObject({ reason: 'unsupported' })
    expect(document.message).toContain('not a workbook')
    const old = await refusalOf(record(0x409, [2, 0], [2, 0x10], [2, 0]))
    expect(old).toMatchObject({ reason: 'unsupported' })
    expect(old.message).toContain('Excel 4')
  })

  it('gives what an independent reader gives, for any cells', async () => {
    const cell = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => ({ number })),
      fc.integer({ min: -(2 ** 28), max: 2 ** 28 }).map((number) => ({ number, rk: true as const })),
      fc.integer({ min: -(10 ** 6), max: 10 ** 6 }).map((n) => ({ number: n / 100, rk: true as const })),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).map((text) => ({ text })),
      fc.boolean().map((boolean) => ({ boolean })),
      fc.nat(9).map((n) => ({ shared: n })),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((formula) => ({ formula })),
    )
    const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 20 })
    const texts = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), {
      minLength: 10,
      maxLength: 10,
    })
    await fc.assert(
      fc.asyncProperty(rows, texts, fc.integer({ min: 40, max: 400 }), async (given, strings, continueAfter) => {
        const clean = strings.map((text) => text.replaceAll('\0', ' '))
        const cells = given.flatMap((row, r) => row.map((value, c): MadeCell => ({ at: [r, c], ...value })))
        const bytes = xlsOf(book(cells, clean), { continueAfter })
        const { sheets } = await readXls(bytes)
        const { rows: got } = await onlyTable(bytes)
        given.forEach((row, r) =>
          row.forEach((_, c) => {
            const theirs = sheets[0]?.rows[r]?.[c]
            expect(got[r]?.[c] ?? '').toBe(Object.is(theirs, -0) ? '0' : String(theirs ?? ''))
          }),
        )
      }),
      { numRuns: 60, seed: 20_261_123 },
    )
  })
})

describe('a hostile compound file', () => {
  const LONG: MadeCell[] = Array.from({ length: 900 }, (_, n) => ({ at: [n, 0], text: `row ${n}` }))
  const sound = xlsOf(book(LONG))
  const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  /** Where the table of sectors lies, by the header. */
  const tableAt = (view(sound).getUint32(76, true) + 1) * 512
  const directoryAt = (view(sound).getUint32(48, true) + 1) * 512
  const changed = (change: (bytes: DataView) => void): Uint8Array => {
    const bytes = sound.slice()
    change(view(bytes))
    return bytes
  }

  it.each<[string, (bytes: DataView) => void]>([
    ['a directory in a circle', (v) => v.setUint32(tableAt + v.getUint32(48, true) * 4, v.getUint32(48, true), true)],
    ['a stream that leads past the end', (v) => v.setUint32(tableAt + 4, 0x00ff_ffff, true)],
    ['a stream shorter than it says', (v) => v.setUint32(tableAt + 4, 0xffff_fffe, true)],
    ['a stream longer than the file', (v) => v.setUint32(directoryAt + 128 + 120, 0x7fff_ffff, true)],
    ['a directory past the end', (v) => v.setUint32(48, 0x00ff_ffff, true)],
    ['a table of sectors past the end', (v) => v.setUint32(76, 0x00ff_ffff, true)],
    ['a list of tables in a circle', (v) => [v.setUint32(76, 0xffff_ffff, true), v.setUint32(68, 0, true)]],
    ['sectors of no size', (v) => v.setUint16(30, 0, true)],
    [
      'entries that name themselves',
      (v) => [v.setUint32(directoryAt + 128 + 68, 1, true), v.setUint32(directoryAt + 76, 9, true)],
    ],
  ])('is refused as broken: %s', async (_name, change) => {
    expect((await refusalOf(changed(change))).reason).toMatch(/^(broken|unsupported)$/)
  })

  it('whose stream runs in a circle is read no further than the file is long', async () => {
    let read = 0
    const circle = changed((v) => {
      v.setUint32(tableAt + 4, 0, true)
    })
    const file = await openCompoundFile(memorySource('a', circle))
    for await (const chunk of file.stream('Workbook')) read += chunk.length
    expect(read).toBeLessThanOrEqual(circle.length)
  })

  it('whose sheets all name the same records is refused', async () => {
    const cells = LONG
    const stream = xlsStream({
      sheets: Array.from({ length: 12 }, (_, n) => ({ name: `S${n}`, cells: n === 0 ? cells : [] })),
    })
    const v = view(stream)
    const offsets: number[] = []
    for (let at = 0; at + 4 <= stream.length; at += 4 + v.getUint16(at + 2, true))
      if (v.getUint16(at, true) === 0x85) offsets.push(at + 4)
    const first = v.getUint32(offsets[0] ?? 0, true)
    for (const at of offsets) v.setUint32(at, first, true)
    const refusal = await refusalOf(compoundFileOf({ Workbook: stream }))
    expect(refusal).toMatchObject({ reason: 'unsafe' })
    expect(refusal.message).toContain('overlap')
  })
})
