import { zipOf } from '../zip'
import { concatBytes } from '../../../src/lib/concat-bytes'
import { packed, utf16, type Field } from './bytes'
import { rkOf, type MadeBinarySheet, type MadeBinaryWorkbook, type MadeCell } from './cells'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const link = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`

/** Seven bits a byte, the last one without the eighth. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest])
    bytes.push((rest % 128) | 0x80)
  }
}

export const record12 = (type: number, ...content: readonly (Field | Uint8Array)[]): Uint8Array => {
  const data = packed(...content)
  return concatBytes([varint(type), varint(data.length), data])
}
const wide = (text: string): Uint8Array => packed([4, text.length], utf16(text))

function cellRecord(cell: MadeCell): Uint8Array {
  const [, column] = cell.at
  const style: Field = [4, 'style' in cell ? (cell.style ?? 0) : 0]
  const head: Field[] = [[4, column], style]
  if ('numbers' in cell)
    // The first with its column, the others right of it without.
    return concatBytes(
      cell.numbers.map((value, n) => record12(n === 0 ? 2 : 13, ...(n === 0 ? head : [style]), [4, rkOf(value) ?? 0])),
    )
  if ('number' in cell) {
    const rk = cell.rk ? rkOf(cell.number) : null
    return rk === null ? record12(5, ...head, [8, cell.number]) : record12(2, ...head, [4, rk])
  }
  if ('text' in cell)
    return cell.rich ? record12(62, ...head, [1, 1], wide(cell.text), [4, 0]) : record12(6, ...head, wide(cell.text))
  if ('shared' in cell) return record12(7, ...head, [4, cell.shared])
  if ('boolean' in cell) return record12(4, ...head, [1, Number(cell.boolean)])
  if ('error' in cell) return record12(3, ...head, [1, cell.error])
  const { formula } = cell
  const rest: Field[] = [
    [2, 0],
    [4, 0],
    [4, 0],
  ]
  if (typeof formula === 'number') return record12(9, ...head, [8, formula], ...rest)
  if (typeof formula === 'boolean') return record12(10, ...head, [1, Number(formula)], ...rest)
  if (typeof formula === 'object' && formula) return record12(11, ...head, [1, formula.error], ...rest)
  return record12(8, ...head, wide(formula ?? ''), ...rest)
}

function sheetPart({ cells, merges = [] }: MadeBinarySheet): Uint8Array {
  const rows = [...new Set(cells.map(({ at: [row] }) => row))]
  return concatBytes([
    record12(129),
    record12(145),
    ...rows.flatMap((row) => [
      record12(0, [4, row], new Uint8Array(13)),
      ...cells.filter(({ at }) => at[0] === row).map(cellRecord),
    ]),
    record12(146),
    ...merges.map(({ rows: [top, bottom], columns: [left, right] }) =>
      record12(176, [4, top], [4, bottom], [4, left], [4, right]),
    ),
    record12(130),
  ])
}

function workbookPart({ sheets, date1904 }: MadeBinaryWorkbook): Uint8Array {
  return concatBytes([
    record12(131),
    record12(153, [4, date1904 ? 1 : 0], [4, 0], wide('')),
    ...sheets.map(({ name, state }, n) =>
      record12(
        156,
        [4, state === 'veryHidden' ? 2 : state === 'hidden' ? 1 : 0],
        [4, n + 1],
        wide(`rId${n + 1}`),
        wide(name),
      ),
    ),
    record12(132),
  ])
}

function stylesPart(formats: readonly string[]): Uint8Array {
  const style = (id: number): Uint8Array => record12(47, [2, 0], [2, id], new Uint8Array(12))
  return concatBytes([
    record12(278),
    ...formats.map((code, n) => record12(44, [2, 200 + n], wide(code))),
    // Styles that cells' styles are made of come first, and count for nothing.
    record12(626, [4, 1]),
    style(14),
    record12(627),
    record12(617, [4, formats.length + 1]),
    ...[0, ...formats.map((_, n) => 200 + n)].map(style),
    record12(618),
    record12(279),
  ])
}

/** An XLSB workbook, as right or wrong as its parts. */
export function xlsbOf(book: MadeBinaryWorkbook, parts: Record<string, Uint8Array> = {}): Promise<Uint8Array> {
  const { sheets, strings = [], formats = [] } = book
  const links = sheets.map(({ kind }, n) =>
    link(`rId${n + 1}`, kind === 'chart' ? 'chartsheet' : 'worksheet', `worksheets/sheet${n + 1}.bin`),
  )
  const all: Record<string, Uint8Array | string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${link('r1', 'officeDocument', 'xl/workbook.bin')}</Relationships>`,
    'xl/workbook.bin': workbookPart(book),
    'xl/_rels/workbook.bin.rels': `<Relationships>${links.join('')}${link('rS', 'sharedStrings', 'sharedStrings.bin')}${link('rT', 'styles', 'styles.bin')}</Relationships>`,
    'xl/sharedStrings.bin': concatBytes([
      record12(159, [4, strings.length], [4, strings.length]),
      ...strings.map((text) => record12(19, [1, 0], wide(text))),
      record12(160),
    ]),
    'xl/styles.bin': stylesPart(formats),
    ...Object.fromEntries(sheets.map((sheet, n) => [`xl/worksheets/sheet${n + 1}.bin`, sheetPart(sheet)])),
    ...parts,
  }
  return zipOf(Object.entries(all).map(([name, bytes]) => ({ name, bytes })))
}
