import { unreadableError } from '../file-errors'
import type { ByteSource } from '../contract'
import { workbookEncryptedError, workbookUnsupportedError } from './workbook-errors'
import type { WorkbookPackage } from './workbook-package'

const LOCAL_HEADER = 'PK\u0003\u0004'
const NAME_OFFSET = 30
const OLE_SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
const ODS_MIME_TYPE = 'application/vnd.oasis.opendocument.spreadsheet'
const PACKAGE_PARTS = /^(\[content_types\]\.xml$|_rels\/|docprops\/|xl\/|customxml\/|mimetype$)/i

/** The container of XLS files and of password-protected workbooks. */
const isOleFile = (head: Uint8Array): boolean => OLE_SIGNATURE.every((byte, at) => head[at] === byte)

/** A zip whose first entry is a part of a workbook's package; also the container of older and of protected workbooks. */
export function isXlsx(head: Uint8Array): boolean {
  if (isOleFile(head)) return true
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

const HEAD_BYTES = 64 * 1024
const XLS_MESSAGE = 'Older workbook (.xls). In Excel choose File, Save as, “Excel workbook (.xlsx)” and upload that.'
const XLSB_MESSAGE = 'Binary workbook (.xlsb). In Excel choose File, Save as, “Excel workbook (.xlsx)” and upload that.'
export const DOCUMENT_MESSAGE = 'This is a document, not a workbook. Upload its table as .xlsx or CSV.'
const OTHER_MESSAGE = 'This is an older Office document, not a workbook. Upload .xlsx or CSV.'

/** How an XLS stream begins: the record of its first part, then its length and the version 6.0. */
const BIFF_START = [0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]
const BIFF_START_BYTES = 20
/** The record that says that all further ones are encrypted. */
const FILE_PASS_RECORD = 0x2f
const EARLY_RECORDS = 12

/** @throws ProductError with what to do for an empty file, XLS, and workbooks that need a password. */
export async function rejectUnsupportedWorkbooks(source: ByteSource): Promise<void> {
  if (source.size === 0) throw unreadableError('empty', 'The file is empty. Choose another file.')
  const head = await source.read(0, HEAD_BYTES)
  if (!isOleFile(head)) return
  const tail = await source.read(Math.max(0, source.size - HEAD_BYTES), HEAD_BYTES)
  const holds = (name: string): boolean =>
    indexOfBytes(head, utf16Bytes(name)) >= 0 || indexOfBytes(tail, utf16Bytes(name)) >= 0
  if (holds('EncryptedPackage') || isXlsEncrypted(head)) throw workbookEncryptedError()
  throw workbookUnsupportedError(
    holds('Workbook') || holds('Book') || indexOfBytes(head, BIFF_START) >= 0 ? XLS_MESSAGE : OTHER_MESSAGE,
  )
}

/** @throws ProductError for what lies in the same container as an XLSX and is none. */
export function rejectOtherOfficePackages(parts: WorkbookPackage): void {
  if (parts.has('xl/workbook.bin')) throw workbookUnsupportedError(XLSB_MESSAGE)
  if (parts.has('word/document.xml') || parts.has('ppt/presentation.xml'))
    throw workbookUnsupportedError(DOCUMENT_MESSAGE)
}

function isXlsEncrypted(head: Uint8Array): boolean {
  const start = indexOfBytes(head, BIFF_START)
  if (start < 0) return false
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  let at = start + BIFF_START_BYTES
  for (let n = 0; n < EARLY_RECORDS && at + 4 <= head.length; n++) {
    if (view.getUint16(at, true) === FILE_PASS_RECORD) return true
    at += 4 + view.getUint16(at + 2, true)
  }
  return false
}

const utf16Bytes = (name: string): number[] => Array.from(name).flatMap((letter) => [letter.charCodeAt(0), 0])

function indexOfBytes(bytes: Uint8Array, wanted: number[]): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at
  return -1
}
