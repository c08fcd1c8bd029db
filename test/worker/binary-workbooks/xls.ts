import { concatBytes } from '../../../src/lib/concat-bytes'
import { byteText, packed, utf16, type Field } from './bytes'
import { rkOf, type MadeBinarySheet, type MadeBinaryWorkbook, type MadeCell } from './cells'
import { compoundFileOf } from './compound-file'

const RECORD_MAX = 8224

export interface XlsOptions {
  /** 8: Excel 97 to 2003. 5: Excel 5 and 95, its texts as bytes of a code page. */
  biff?: 5 | 8
  codePage?: number
  /** How a text becomes bytes in BIFF5. */
  encode?: (text: string) => Uint8Array
  /** Records put in front of the list of sheets. */
  early?: Uint8Array[]
  /** Texts of the shared list are cut after so many bytes, wherever that is. */
  continueAfter?: number
}

export const record = (type: number, ...content: readonly (Field | Uint8Array)[]): Uint8Array => {
  const data = packed(...content)
  return packed([2, type], [2, data.length], data)
}

const isNarrow = (text: string): boolean => /^[\u0000-\u00ff]*$/.test(text)
const unitsOf = (text: string): Uint8Array => (isNarrow(text) ? byteText(text) : utf16(text))
/** A text of BIFF8 behind its length in `width` bytes. */
const text8 = (text: string, width: 1 | 2): Uint8Array =>
  packed([width, text.length], [1, isNarrow(text) ? 0 : 1], unitsOf(text))

/** The shared texts; what is past the end of a record goes on in the next, which says anew how wide its text is. */
function sharedTexts(texts: readonly string[], most: number): Uint8Array {
  const records: Uint8Array[] = []
  let held: Uint8Array[] = [packed([4, texts.length], [4, texts.length])]
  let length = 8
  const end = (): void => {
    const data = concatBytes(held)
    records.push(packed([2, records.length === 0 ? 0xfc : 0x3c], [2, data.length], data))
    held = []
    length = 0
  }
  const put = (bytes: Uint8Array): void => {
    held.push(bytes)
    length += bytes.length
  }
  for (const text of texts) {
    if (length + 4 > most) end()
    const width = isNarrow(text) ? 1 : 2
    put(packed([2, text.length], [1, width - 1]))
    for (let at = 0; at < text.length;) {
      const fits = Math.floor((most - length) / width)
      const part = text.slice(at, at + fits)
      put(width === 1 ? byteText(part) : utf16(part))
      at += part.length
      if (at < text.length) {
        end()
        put(packed([1, width - 1]))
      }
    }
  }
  end()
  return concatBytes(records)
}

function cellRecords(cell: MadeCell, text: (value: string) => Uint8Array): Uint8Array {
  const [row, column] = cell.at
  const style: Field = [2, 'style' in cell ? (cell.style ?? 0) : 0]
  const head: Field[] = [[2, row], [2, column], style]
  if ('numbers' in cell)
    return record(
      0xbd,
      ...head.slice(0, 2),
      ...cell.numbers.flatMap((value): Field[] => [style, [4, rkOf(value) ?? 0]]),
      [2, column + cell.numbers.length - 1],
    )
  if ('number' in cell) {
    const rk = cell.rk ? rkOf(cell.number) : null
    return rk === null ? record(0x203, ...head, [8, cell.number]) : record(0x27e, ...head, [4, rk])
  }
  if ('text' in cell) return record(cell.rich ? 0xd6 : 0x204, ...head, text(cell.text), [2, 0])
  if ('shared' in cell) return record(0xfd, ...head, [4, cell.shared])
  if ('boolean' in cell) return record(0x205, ...head, [1, Number(cell.boolean)], [1, 0])
  if ('error' in cell) return record(0x205, ...head, [1, cell.error], [1, 1])
  return formulaRecords(head, cell.formula, text)
}

function formulaRecords(
  head: Field[],
  result: number | boolean | string | { error: number } | null,
  text: (value: string) => Uint8Array,
): Uint8Array {
  const rest: Field[] = [
    [2, 0],
    [4, 0],
    [2, 0],
  ]
  if (typeof result === 'number') return record(0x06, ...head, [8, result], ...rest)
  const [kind, value] =
    typeof result === 'boolean'
      ? [1, Number(result)]
      : typeof result === 'object' && result
        ? [2, result.error]
        : [0, 0]
  const formula = record(0x06, ...head, [1, kind], [1, 0], [1, value], [1, 0], [2, 0], [2, 0xffff], ...rest)
  // A text without its record is a formula that was never worked out.
  return typeof result === 'string' ? concatBytes([formula, record(0x207, text(result))]) : formula
}

const bof = (version: number, kind: number): Uint8Array =>
  record(
    0x809,
    [2, version],
    [2, kind],
    [2, 0x0dbb],
    [2, 1996],
    ...(version === 0x600
      ? ([
          [4, 0],
          [4, 6],
        ] satisfies Field[])
      : []),
  )
const EOF = record(0x0a)

function sheetStream(sheet: MadeBinarySheet, version: number, text: (value: string) => Uint8Array): Uint8Array {
  const merges = (sheet.merges ?? []).map(({ rows, columns }) =>
    packed(...[...rows, ...columns].map((value): Field => [2, value])),
  )
  return concatBytes([
    bof(version, sheet.kind === 'chart' ? 0x20 : 0x10),
    ...sheet.cells.map((cell) => cellRecords(cell, text)),
    ...(merges.length > 0 ? [record(0xe5, [2, merges.length], ...merges)] : []),
    EOF,
  ])
}

/** The stream of an XLS workbook. */
export function xlsStream(book: MadeBinaryWorkbook, options: XlsOptions = {}): Uint8Array {
  const { biff = 8, codePage = 1200, encode = byteText, early = [], continueAfter = RECORD_MAX } = options
  const version = biff === 8 ? 0x600 : 0x500
  const text = (value: string): Uint8Array =>
    biff === 8 ? text8(value, 2) : packed([2, encode(value).length], encode(value))
  const short = (value: string): Uint8Array =>
    biff === 8 ? text8(value, 1) : packed([1, encode(value).length], encode(value))
  const formats = (book.formats ?? []).map((code, n) =>
    record(0x41e, [2, 200 + n], biff === 8 ? text8(code, 2) : short(code)),
  )
  const styles = [0, ...(book.formats ?? []).map((_, n) => 200 + n)].map((id) =>
    record(0xe0, [2, 0], [2, id], new Uint8Array(biff === 8 ? 16 : 12)),
  )
  const streams = book.sheets.map((sheet) => sheetStream(sheet, version, text))
  const list = (offsets: readonly number[]): Uint8Array =>
    concatBytes([
      bof(version, 5),
      ...early,
      record(0x42, [2, codePage]),
      record(0x22, [2, book.date1904 ? 1 : 0]),
      ...formats,
      ...styles,
      ...book.sheets.map(({ name, state, kind }, n) =>
        record(
          0x85,
          [4, offsets[n] ?? 0],
          [1, state === 'veryHidden' ? 2 : state === 'hidden' ? 1 : 0],
          [1, kind === 'chart' ? 2 : 0],
          short(name),
        ),
      ),
      ...(book.strings && biff === 8 ? [sharedTexts(book.strings, continueAfter)] : []),
      EOF,
    ])
  let at = list([]).length
  const offsets = streams.map((stream) => (at += stream.length) - stream.length)
  return concatBytes([list(offsets), ...streams])
}

/** An XLS workbook, as right or wrong as what it is made of. */
export const xlsOf = (book: MadeBinaryWorkbook, options: XlsOptions = {}): Uint8Array =>
  compoundFileOf({ [options.biff === 5 ? 'Book' : 'Workbook']: xlsStream(book, options) })
