import { workbookUnsupportedError } from './workbook-errors'
import type { WorkbookPackage } from './workbook-package'

const LOCAL_HEADER = 'PK\u0003\u0004'
const NAME_OFFSET = 30
const ODS_MIME_TYPE = 'application/vnd.oasis.opendocument.spreadsheet'
const PACKAGE_PARTS = /^(\[content_types\]\.xml$|_rels\/|docprops\/|xl\/|customxml\/|mimetype$)/i

/** A zip whose first entry is a part of a workbook's package (xlsx, xlsm, xlsb). */
export function isXlsx(head: Uint8Array): boolean {
  const text = latin1Text(head)
  if (!PACKAGE_PARTS.test(firstEntryName(text)) || text.includes(ODS_MIME_TYPE)) return false
  return !/PK\u0003\u0004[^]{26}(?:word|ppt)\//.test(text)
}

/** A zip that says in its first entry, or in its list of parts, that it is an OpenDocument spreadsheet. */
export function isOds(head: Uint8Array): boolean {
  const text = latin1Text(head)
  return firstEntryName(text) === 'mimetype' && text.startsWith(ODS_MIME_TYPE, NAME_OFFSET + 8)
}

function firstEntryName(text: string): string {
  if (!text.startsWith(LOCAL_HEADER)) return ''
  const length = text.charCodeAt(26) + text.charCodeAt(27) * 256
  return text.slice(NAME_OFFSET, NAME_OFFSET + length).replaceAll('\\', '/')
}

function latin1Text(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

export const DOCUMENT_MESSAGE = 'This is a document, not a workbook. Upload its table as .xlsx or CSV.'

/** @throws ProductError for what lies in the same container as an XLSX and is none. */
export function rejectOtherOfficePackages(parts: WorkbookPackage): void {
  if (parts.has('word/document.xml') || parts.has('ppt/presentation.xml'))
    throw workbookUnsupportedError(DOCUMENT_MESSAGE)
}
