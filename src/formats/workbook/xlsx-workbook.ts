import { CellStyles } from './cell-styles'
import { XlsbWorkbookHandler } from './binary/xlsb-parts'
import { SHEETS_MAX, SHEET_NAME_MAX_CHARS, type SheetList } from './sheets'
import { workbookDamagedError } from './workbook-errors'
import type { XmlHandler, XmlTag } from './xml-scanner'
import type { WorkbookPackage } from './workbook-package'

/** Reads `styles.xml`: which number format a cell's style number stands for. Everything else of styles is passed over. */
export class XlsxStyles implements XmlHandler {
  wantsText = false
  readonly styles = new CellStyles()
  private inCellStyles = false
  /** Conditional formats have formats of their own, whose numbers mean nothing outside of them. */
  private inFormats = false

  open(tag: XmlTag): void {
    if (tag.name === 'cellXfs') this.inCellStyles = true
    else if (tag.name === 'numFmts') this.inFormats = true
    else if (tag.name === 'numFmt' && this.inFormats) this.addFormat(tag)
    else if (tag.name === 'xf' && this.inCellStyles) this.styles.addStyle(Number(tag.attribute('numFmtId') ?? '0'))
  }
  close(name: string): void {
    if (name === 'cellXfs') this.inCellStyles = false
    if (name === 'numFmts') this.inFormats = false
  }
  text(): void {}

  private addFormat(tag: XmlTag): void {
    const id = tag.attribute('numFmtId')
    const code = tag.attribute('formatCode')
    if (id !== undefined && code !== undefined) this.styles.addFormat(Number(id), code)
  }
}

export interface XlsxSheetEntry {
  name: string
  hidden: boolean
  /** Path of its part; null for what holds no cells (charts, dialogs, macros), and for a sheet that is not there. */
  part: string | null
  isMissing: boolean
}
export interface XlsxWorkbook {
  date1904: boolean
  sheets: XlsxSheetEntry[]
  sharedStrings: string | null
  styles: string | null
}

const DEFAULT_MAIN_PARTS = ['xl/workbook.xml', 'xl/workbook.bin'] as const

interface PackageRelationship {
  kind: string
  target: string
}

/** What a `.rels` part links to, by id. Links out of the file are left out: nothing is ever fetched. */
class RelationshipsHandler implements XmlHandler {
  wantsText = false
  readonly byId = new Map<string, PackageRelationship>()
  constructor(private readonly folder: string) {}

  open(tag: XmlTag): void {
    if (tag.name !== 'Relationship' || tag.attribute('TargetMode') === 'External') return
    const [id, type, target] = [tag.attribute('Id'), tag.attribute('Type'), tag.attribute('Target')]
    if (id === undefined || type === undefined || target === undefined) return
    this.byId.set(id, { kind: type.slice(type.lastIndexOf('/') + 1), target: resolvePartPath(this.folder, target) })
  }
  close(): void {}
  text(): void {}

  first(kind: string): string | null {
    for (const relation of this.byId.values()) if (relation.kind === kind) return relation.target
    return null
  }
}

class WorkbookHandler implements XmlHandler, SheetList {
  wantsText = false
  date1904 = false
  readonly sheets: SheetList['sheets'] = []

  open(tag: XmlTag): void {
    // Extensions have an element of the same name.
    if (tag.name === 'workbookPr') this.date1904 ||= /^(1|true|on)$/.test(tag.attribute('date1904') ?? '')
    if (tag.name !== 'sheet' || this.sheets.length >= SHEETS_MAX) return
    const name = (tag.attribute('name') ?? '').slice(0, SHEET_NAME_MAX_CHARS) || `Sheet ${this.sheets.length + 1}`
    const state = tag.attribute('state') ?? 'visible'
    this.sheets.push({ name, hidden: state !== 'visible', id: tag.local('id') ?? '' })
  }
  close(): void {}
  text(): void {}
}

/** Reads the sheets of a workbook and where its parts lie. @throws ProductError when it is no workbook or damaged. */
export async function readXlsxWorkbook(parts: WorkbookPackage): Promise<XlsxWorkbook> {
  const root = new RelationshipsHandler('')
  if (parts.has('_rels/.rels')) await parts.scanSmallPart('_rels/.rels', root)
  const main =
    root.first('officeDocument') ?? DEFAULT_MAIN_PARTS.find((part) => parts.has(part)) ?? DEFAULT_MAIN_PARTS[0]
  const slash = main.lastIndexOf('/')
  const relations = new RelationshipsHandler(main.slice(0, Math.max(0, slash)))
  const relationsPart = `${main.slice(0, slash + 1)}_rels/${main.slice(slash + 1)}.rels`
  if (parts.has(relationsPart)) await parts.scanSmallPart(relationsPart, relations)
  const list = await readSheetList(parts, main)
  if (list.sheets.length === 0) throw workbookDamagedError('it names no sheets')
  const optional = (part: string | null): string | null => (part !== null && parts.has(part) ? part : null)
  const sheets = list.sheets.map(({ name, hidden, id }): XlsxSheetEntry => {
    const relation = relations.byId.get(id)
    const part = relation?.kind === 'worksheet' ? relation.target : null
    return { name, hidden, part, isMissing: !relation || (part !== null && !parts.has(part)) }
  })
  const [first] = sheets
  if (first && sheets.every(({ isMissing }) => isMissing))
    throw workbookDamagedError(`the sheet “${first.name}” is missing`)
  return {
    date1904: list.date1904,
    sheets,
    sharedStrings: optional(relations.first('sharedStrings')),
    styles: optional(relations.first('styles')),
  }
}

async function readSheetList(parts: WorkbookPackage, main: string): Promise<SheetList> {
  if (isBinaryPart(main)) {
    const records = new XlsbWorkbookHandler()
    await parts.scanSmallRecords(main, records)
    return records
  }
  const tags = new WorkbookHandler()
  await parts.scanSmallPart(main, tags)
  return tags
}

/** Whether a part is written as records (XLSB) and not as tags. */
export const isBinaryPart = (part: string): boolean => /\.bin$/i.test(part)

/** Path of a part that `target` names, seen from `folder`. */
function resolvePartPath(folder: string, target: string): string {
  const steps = target.startsWith('/') ? [] : folder.split('/')
  for (const step of target.replaceAll('\\', '/').split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps.filter((step) => step !== '').join('/')
}
