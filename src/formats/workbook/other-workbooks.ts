import { ProductError } from '../../shared/errors'
import type { ByteSource } from '../contract'
import { isOleFile } from './recognise'
import { workbookEncryptedError, workbookUnsupportedError } from './refusals'
import type { WorkbookPackage } from './workbook-package'

const HEAD_BYTES = 64 * 1024
const XLS_MESSAGE =
  'This is a workbook of an older kind (.xls). Open it in Excel, choose File, Save as, “Excel workbook (.xlsx)” and upload the new file.'
const XLSB_MESSAGE =
  'This is a binary workbook (.xlsb). Open it in Excel, choose File, Save as, “Excel workbook (.xlsx)” and upload the new file.'
export const DOCUMENT_MESSAGE = 'This is a document, not a workbook. Upload the table in it as .xlsx or CSV.'
const OTHER_MESSAGE = 'This is a document of an older Office program, not a workbook. Upload an .xlsx file or a CSV.'

/** How an XLS stream begins: the record of its first part, then its length and the version 6.0. */
const BIFF_START = [0x09, 0x08, 0x10, 0x00, 0x00, 0x06, 0x05, 0x00]
const BIFF_START_BYTES = 20
/** The record that says that all further ones are encrypted. */
const FILE_PASS_RECORD = 0x2f
const EARLY_RECORDS = 12

/** @throws ProductError with what to do for an empty file, XLS, and workbooks that need a password. */
export async function rejectUnsupportedWorkbooks(source: ByteSource): Promise<void> {
  if (source.size === 0)
    throw new ProductError('file_unreadable', { reason: 'empty' }, 'The file is empty. Choose the workbook again.')
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
