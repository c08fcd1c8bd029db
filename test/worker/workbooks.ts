import { memorySource } from './memory-source'
import { xlsReader } from '../../src/formats/workbook/binary/xls-reader'
import { odsReader } from '../../src/formats/workbook/ods-reader'
import { xlsxReader } from '../../src/formats/workbook/xlsx-reader'
import type { FormatReader } from '../../src/formats/contract'
import { ProductError } from '../../src/shared/errors'
import { openFile, type CollectedTable } from '../suites/open-file'
import type { FileWarning } from '../../src/shared/data-sources/files'
import { zipOf, type ZipInput } from './zip'

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export interface MadeSheet {
  name: string
  /** What stands inside `<sheetData>`. */
  rows: string
  /** What follows it. */
  after?: string
  state?: 'hidden' | 'veryHidden'
  kind?: 'worksheet' | 'chartsheet'
}
export interface MadeWorkbook {
  sheets: MadeSheet[]
  date1904?: boolean
  /** Texts of `<si>`, as XML. */
  strings?: string[]
  /** Number formats in the order of the cells' style numbers, from 1 on; 0 is General. */
  formats?: string[]
  /** Replaces or adds parts. */
  parts?: Record<string, string>
}

const relationship = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`

function stylesOf(formats: string[]): string {
  const own = formats.map((code, i) => `<numFmt numFmtId="${200 + i}" formatCode="${code}"/>`).join('')
  const styles = formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join('')
  return `<styleSheet ${MAIN}><numFmts>${own}</numFmts><cellXfs><xf numFmtId="0"/>${styles}</cellXfs></styleSheet>`
}

/** An XLSX made by hand, as right or wrong as its parts. */
export async function xlsxOf(
  book: MadeWorkbook,
  change: (entries: ZipInput[]) => ZipInput[] = (e) => e,
): Promise<Uint8Array> {
  const { sheets } = book
  const list = sheets.map(
    ({ name, state }, i) =>
      `<sheet name="${name}" sheetId="${i + 1}"${state ? ` state="${state}"` : ''} r:id="rId${i + 1}"/>`,
  )
  const links = sheets.map(({ kind = 'worksheet' }, i) => relationship(`rId${i + 1}`, kind, `worksheets/s${i + 1}.xml`))
  const parts: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relationship('r1', 'officeDocument', '/xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${OFFICE}"><workbookPr${book.date1904 ? ' date1904="1"' : ''}/><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${links.join('')}${relationship('rS', 'sharedStrings', 'sharedStrings.xml')}${relationship('rT', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst ${MAIN}>${(book.strings ?? []).map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': stylesOf(book.formats ?? []),
    ...Object.fromEntries(
      sheets.map(({ rows, after = '' }, i) => [
        `xl/worksheets/s${i + 1}.xml`,
        `<worksheet ${MAIN}><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
    ...book.parts,
  }
  return zipOf(change(Object.entries(parts).map(([name, bytes]) => ({ name, bytes }))))
}

/** An ODS made by hand: what stands inside `<office:spreadsheet>` and the automatic styles. */
export const odsOf = (body: string, styles = '', more: ZipInput[] = []): Promise<Uint8Array> =>
  zipOf([
    { name: 'mimetype', bytes: 'application/vnd.oasis.opendocument.spreadsheet', store: true },
    ...more,
    {
      name: 'content.xml',
      bytes: `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${body}</office:spreadsheet></office:body></office:document-content>`,
    },
  ])

export interface OpenedWorkbook {
  tables: CollectedTable[]
  warnings: FileWarning[]
}
const readerOf = (bytes: Uint8Array): FormatReader =>
  [odsReader, xlsReader].find((reader) => reader.recognises(bytes.subarray(0, 65_536), 'a')) ?? xlsxReader

/** Opens a workbook with the reader that recognises it. */
export const openWorkbook = (bytes: Uint8Array): Promise<OpenedWorkbook> =>
  openFile(readerOf(bytes), { name: 'book', bytes })

/** Rows of a workbook's only table. */
export async function onlyTable(bytes: Uint8Array): Promise<CollectedTable> {
  const { tables } = await openWorkbook(bytes)
  const [table] = tables
  if (!table || tables.length !== 1) throw new Error(`${tables.length} tables`)
  return table
}

/** Code, reason and message of a refusal. Anything but a ProductError is a crash. */
export async function refusalOf(bytes: Uint8Array): Promise<{ code: string; reason: unknown; message: string }> {
  try {
    const reader = readerOf(bytes)
    const nothing = { add: () => undefined, addRecords: () => undefined, describe: () => undefined }
    await reader.open(memorySource('book', bytes), { table: () => nothing, flush: () => Promise.resolve() })
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    return { code: error.code, reason: error.details['reason'], message: error.message }
  }
  return { code: 'none', reason: 'none', message: '' }
}
