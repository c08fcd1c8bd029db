import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { writeXlsx, writeXlsxStream } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { openZip } from '../archive/zip-reader'
import { memorySource } from '../../../test/worker/memory-source'
import { odsReader } from './ods-reader'
import { xlsxReader } from './xlsx-reader'
import { createXlsxStream } from './xlsx-writer'
import { onlyTable, openWorkbook, refusalOf } from '../../../test/worker/workbooks'
import { zipOf } from '../../../test/worker/zip'
import { seedOf } from '../../../test/seed'

const LONG = env.LONG === '1'
const HANG_MS = 5_000
const LONG_MS = LONG ? 600_000 : 120_000
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
      // Older and protected workbooks too: their refusal says what to do.
      expect(xlsxReader.recognises(bytes, 'x'), name).toBe(!name.endsWith('.ods'))
    }
    for (const other of ['a,b\n1,2\n', 'PK\u0003\u0004', '', '{"a":1}'])
      expect(xlsxReader.recognises(new TextEncoder().encode(other), 'a.xlsx'), other).toBe(false)
  })

  it('of an older kind are refused with what to do', async () => {
    const refusal = await refusalOf(file('sheetjs__1904_1904.xls'))
    expect(refusal).toMatchObject({ code: 'file_unreadable', reason: 'unsupported' })
    expect(refusal.message).toContain('“Excel workbook (.xlsx)”')
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

const mutation = fc.record({
  kind: fc.constantFrom('flip', 'cut', 'drop', 'repeat', 'swap', 'zero', 'word'),
  places: fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 1, maxLength: 6 }),
  byte: fc.nat(255),
  word: fc.constantFrom(
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
  ),
})
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never

/** A sound workbook taken apart: its parts are mutated before they are packed, so that checksums are right. */
interface Parts {
  names: string[]
  bytes: Uint8Array[]
}
async function partsOf(workbook: Uint8Array): Promise<Parts> {
  const archive = await openZip(memorySource('a', workbook))
  const bytes = await Promise.all(archive.entries.map((entry) => archive.bytes(entry, 10_000_000)))
  return { names: archive.entries.map(({ name }) => name), bytes }
}

describe('2 000 mutated workbooks of each kind (20 000 in the long run)', () => {
  // The last: a refusal that only the parts themselves can cause.
  it.each([
    ['xlsx', 'unsafe'],
    ['ods', 'empty'],
  ])(
    'are read or refused, and never crash or hang: %s',
    async (kind, ofParts) => {
      const sound = [...files].filter(([name]) => name.endsWith('.ods') === (kind === 'ods')).map(([, bytes]) => bytes)
      const apart = await Promise.all(sound.filter((bytes) => bytes[0] === 0x50).map(partsOf))
      const seed = seedOf(LONG)
      console.info(`${kind} mutants: seed ${seed}`)
      const outcomes = new Set<unknown>()
      const check = async (bytes: Uint8Array): Promise<void> => {
        const started = Date.now()
        outcomes.add((await refusalOf(bytes)).reason)
        expect(Date.now() - started).toBeLessThan(HANG_MS)
      }
      const numRuns = LONG ? 10_000 : 150
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...sound), mutation, (base, change) => check(mutate(base, change))),
        { numRuns, seed },
      )
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...apart), fc.nat(), mutation, async ({ names, bytes }, which, change) => {
          const entries = names.map((name, i) => {
            const part = bytes[i] ?? new Uint8Array()
            return { name, store: true, bytes: i === which % names.length ? mutate(part, change) : part }
          })
          await check(await zipOf(entries))
        }),
        { numRuns, seed },
      )
      // Mutants got past the zip: some were read, some refused for what their parts say.
      expect([...outcomes]).toEqual(expect.arrayContaining(['none', 'broken', ofParts]))
    },
    LONG_MS,
  )
})

function mutate(base: Uint8Array, at: Mutation): Uint8Array {
  const bytes = base.slice()
  const [first = 0, second = 0] = at.places.map((place) => Math.floor(place * bytes.length))
  const [from, to] = [Math.min(first, second), Math.max(first, second)]
  switch (at.kind) {
    case 'cut':
      return bytes.slice(0, first)
    case 'drop':
      return new Uint8Array([...bytes.slice(0, from), ...bytes.slice(Math.min(to, from + 200))])
    case 'repeat':
      return new Uint8Array([...bytes.slice(0, to), ...bytes.slice(from)])
    case 'swap':
      return new Uint8Array([...bytes.slice(to), ...bytes.slice(0, to)])
    case 'zero':
      return bytes.fill(0, from, Math.min(to, from + 400))
    case 'word':
      bytes.set(new TextEncoder().encode(at.word).subarray(0, bytes.length - first), first)
      return bytes
    case 'flip':
      for (const place of at.places) bytes[Math.floor(place * bytes.length)] = at.byte
      return bytes
  }
}
