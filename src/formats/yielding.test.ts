import { expect, it } from 'vitest'
import type { ByteSource, FormatReader, TableSink } from './contract'
import { jsonReader } from './json/json-reader'
import { memorySource } from '../../test/worker/memory-source'
import { xlsOf } from '../../test/worker/binary-workbooks/xls'
import { sieReader } from './sie/sie-reader'
import { xlsReader } from './workbook/binary/xls-reader'
import { xlsxReader } from './workbook/xlsx-reader'
import { xlsxOf } from '../../test/worker/workbooks'

/** Two pieces of 64 kB, or what of a packed file makes one, and what is read ahead. */
const TURN_MAX_BYTES = 256 * 1024

/** Bytes that a reader takes from the file between two turns for others, at most. */
async function longestStretch(reader: FormatReader, bytes: Uint8Array): Promise<number> {
  let stretch = 0
  let longest = 0
  const file = memorySource('file', bytes)
  const taken = (bytes: number): void => {
    stretch += bytes
    longest = Math.max(longest, stretch)
  }
  const source: ByteSource = {
    ...file,
    // Only this kind is read by ranges; of the others they are a look at the first and last bytes.
    async read(offset, length) {
      const piece = await file.read(offset, length)
      if (reader === xlsReader) taken(piece.length)
      return piece
    },
    stream: (offset) =>
      file.stream(offset).pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(piece, controller) {
            taken(piece.length)
            controller.enqueue(piece)
          },
        }),
      ),
  }
  const sink: TableSink = {
    table: () => ({ add: () => undefined, addRecords: () => undefined, describe: () => undefined }),
    flush() {
      stretch = 0
      return Promise.resolve()
    },
  }
  await reader.open(source, sink)
  return longest
}

const MANY = 80_000
const encoder = new TextEncoder()
const FILES: [string, FormatReader, () => Promise<Uint8Array> | Uint8Array][] = [
  [
    'a list of JSON records',
    jsonReader,
    () => encoder.encode(JSON.stringify(Array.from({ length: MANY }, (_, n) => ({ id: n, name: `Name ${n}` })))),
  ],
  [
    'a ledger',
    sieReader,
    () =>
      encoder.encode(
        `#FLAGGA 0\n${Array.from({ length: MANY / 10 }, (_, n) => `#KONTO ${n} "Account ${n} ${'-'.repeat(150)}"\n`).join('')}`,
      ),
  ],
  [
    'an XLS workbook with many cells',
    xlsReader,
    () =>
      xlsOf({
        sheets: [
          { name: 'One', cells: Array.from({ length: 60_000 }, (_, n) => ({ at: [n, 0] as const, number: n / 7 })) },
        ],
        strings: Array.from({ length: 20_000 }, () => crypto.randomUUID()),
      }),
  ],
  [
    'a workbook with many texts',
    xlsxReader,
    () =>
      xlsxOf({
        strings: Array.from({ length: MANY }, () => `<t>${crypto.randomUUID()}</t>`),
        sheets: [{ name: 'One', rows: '<row r="1"><c r="A1" t="s"><v>0</v></c></row>' }],
      }),
  ],
]

it.each(FILES)('others get their turn all along, in every reading of %s', async (_name, reader, make) => {
  const bytes = await make()
  expect(bytes.length).toBeGreaterThan(4 * TURN_MAX_BYTES)
  expect(await longestStretch(reader, bytes)).toBeLessThanOrEqual(TURN_MAX_BYTES)
})
