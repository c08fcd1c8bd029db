/** A format of numbers as Excel writes it, or the number of a built-in one, which follows the reader's own locale. */
export type NumberFormatCode = string | number

/** Excel's short date of the reader's locale, and the same with the time. */
export const LOCAL_DATE = 14
export const LOCAL_DATE_TIME = 22

// XML 1.0 knows no other control characters than tab and line ends.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
/** `_x000D_` in a workbook stands for a sign; as words its underscore is written as one. */
const ESCAPE_LIKE = /_(?=x[0-9a-f]{4}_)/gi
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replace(ESCAPE_LIKE, '_x005F_')
    .replace(/[&<>"\r]/g, (sign) => ENTITIES[sign] ?? sign)

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

export const contentTypesXml = (sheets: number): string =>
  [
    `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
    `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>`,
    ...numbers(sheets).map(
      (at) => `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
    ),
    '</Types>',
  ].join('')

const relationship = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`

export const relationshipsXml = `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${relationship(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`

export const workbookRelationshipsXml = (sheets: number): string =>
  [
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">`,
    ...numbers(sheets).map((at) => relationship(at, 'worksheet', `worksheets/sheet${at}.xml`)),
    relationship(sheets + 1, 'styles', 'styles.xml'),
    '</Relationships>',
  ].join('')

const SHEET_NAME_MAX = 31
/** A name that Excel takes for a sheet. */
const sheetName = (name: string): string =>
  name
    .replace(/[[\]:*?/\\]/g, ' ')
    .replace(/^'+|'+$/g, '')
    .trim()
    .slice(0, SHEET_NAME_MAX) || 'Sheet'

export const workbookXml = (names: readonly string[]): string =>
  [
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>`,
    ...names.map((name, at) => `<sheet name="${xmlText(sheetName(name))}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`),
    '</sheets></workbook>',
  ].join('')

/** Formats of one's own are numbered from here on. */
const FIRST_OWN_FORMAT = 164

/** How single cells look beside the format of their column. */
export interface CellLook {
  bold?: boolean
  /** Of a heading: larger letters. */
  title?: boolean
  /** Steps that a text stands to the right. */
  indent?: number
  /** A line above, and for the last sum of a statement two below. */
  border?: 'sum' | 'total'
  align?: 'right'
  numberFormat?: NumberFormatCode
}

const BORDERS = ['none', 'sum', 'total'] as const
const TOP = '<top style="thin"/>'
const BORDER_XML =
  '<borders count="3"><border><left/><right/><top/><bottom/><diagonal/></border>' +
  `<border><left/><right/>${TOP}<bottom/><diagonal/></border>` +
  `<border><left/><right/>${TOP}<bottom style="double"/><diagonal/></border></borders>`
const FONT = '<name val="Calibri"/><family val="2"/>'
const FONTS_XML =
  `<fonts count="3"><font><sz val="11"/>${FONT}</font><font><b/><sz val="11"/>${FONT}</font>` +
  `<font><b/><sz val="14"/>${FONT}</font></fonts>`

function lookXml(look: CellLook, formatId: number): string {
  const font = look.title === true ? 2 : look.bold === true ? 1 : 0
  const alignment =
    look.align === undefined && look.indent === undefined
      ? ''
      : `<alignment horizontal="${look.align ?? 'left'}"${look.indent === undefined ? '' : ` indent="${look.indent}"`}/>`
  const ids = `numFmtId="${formatId}" fontId="${font}" fillId="0" borderId="${BORDERS.indexOf(look.border ?? 'none')}" xfId="0"`
  const applied = `applyNumberFormat="1" applyFont="1" applyBorder="1"${alignment === '' ? '' : ' applyAlignment="1"'}`
  return alignment === '' ? `<xf ${ids} ${applied}/>` : `<xf ${ids} ${applied}>${alignment}</xf>`
}

/** Cell styles: plain, heading, then one for each format of numbers, then one for each look. */
export function stylesXml(formats: readonly NumberFormatCode[], looks: readonly CellLook[] = []): string {
  const all = [...new Set([...formats, ...looks.flatMap(({ numberFormat }) => numberFormat ?? [])])]
  const own = all.filter((format) => typeof format === 'string')
  const idOf = (format: NumberFormatCode | undefined): number =>
    format === undefined ? 0 : typeof format === 'number' ? format : FIRST_OWN_FORMAT + own.indexOf(format)
  const codes = own.map((format) => `<numFmt numFmtId="${idOf(format)}" formatCode="${xmlText(format)}"/>`)
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
  const heading = '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
  const styles = [
    ...formats.map(
      (format) => `<xf numFmtId="${idOf(format)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
    ),
    ...looks.map((look) => lookXml(look, idOf(look.numberFormat))),
  ]
  return [
    `${DECLARATION}<styleSheet xmlns="${MAIN}">`,
    codes.length > 0 ? `<numFmts count="${codes.length}">${codes.join('')}</numFmts>` : '',
    FONTS_XML,
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    BORDER_XML,
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${2 + styles.length}">${plain}${heading}${styles.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
    '</styleSheet>',
  ].join('')
}
