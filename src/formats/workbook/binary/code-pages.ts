import { CP437, CP850, decodeCodePage, toByteString, WINDOWS_1252_C1 } from '../../encoding/text-decoder'

/** What the runtime calls the code pages of Windows and of the Macintosh, by their numbers. */
const LABELS: ReadonlyMap<number, string> = new Map([
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  ...[1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258].map((page): [number, string] => [page, `windows-${page}`]),
  [866, 'ibm866'],
  [10_000, 'macintosh'],
  [10_007, 'x-mac-cyrillic'],
  // As Excel writes it on a Macintosh.
  [0x8000, 'macintosh'],
])
const TABLES: ReadonlyMap<number, string> = new Map([
  [437, CP437],
  [850, CP850],
])

/** Decodes texts of workbooks before Excel 97 by the code page that they name; an unknown one counts as Western. */
export function codePageDecoder(page: number): (bytes: Uint8Array) => string {
  const label = LABELS.get(page)
  if (label !== undefined) {
    const decoder = new TextDecoder(label)
    return (bytes) => decoder.decode(bytes)
  }
  const table = TABLES.get(page) ?? WINDOWS_1252_C1
  return (bytes) => decodeCodePage(toByteString(bytes), table)
}
