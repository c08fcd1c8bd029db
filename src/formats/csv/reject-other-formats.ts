import { unreadableError } from '../file-errors'
import { type ProductError, type FileUnreadableReason } from '../../shared/errors'

interface FileSignature {
  message: string
  prefix: string
  reason: FileUnreadableReason
  /** A text could begin with the same letters: only with NUL bytes near is it that kind. */
  binary?: true
}
const SAVE_AS_CSV = 'Save it as CSV and upload that.'
/** Kinds that have a reader of their own never come here when a file is opened; only what asks for a text does. */
const OPEN_HINT = 'It can’t be read as text; its tables are read when the upload opens.'
const EXCEL_MESSAGE = `This is an Excel workbook. ${OPEN_HINT}`
const FILE_SIGNATURES: readonly FileSignature[] = [
  { prefix: '\u00d0\u00cf\u0011\u00e0', message: EXCEL_MESSAGE, reason: 'unsupported' },
  { prefix: '%PDF-', message: `This is a PDF document. ${SAVE_AS_CSV}`, reason: 'unsupported' },
  { prefix: 'PAR1', message: `This is a Parquet file. ${OPEN_HINT}`, reason: 'unsupported', binary: true },
  { prefix: 'SQLite format 3', message: `This is an SQLite database. ${SAVE_AS_CSV}`, reason: 'unsupported' },
  { prefix: '#FLAGGA', message: `This is a SIE file. ${OPEN_HINT}`, reason: 'unsupported' },
  { prefix: '{\\rtf', message: `This is a text document (RTF). ${SAVE_AS_CSV}`, reason: 'unsupported' },
  {
    prefix: '\u001f\u008b',
    message: 'This is a compressed file (gzip). Unpack it and upload the CSV.',
    reason: 'unsupported',
  },
  {
    prefix: 'BZh',
    message: 'This is a compressed file (bzip2). Unpack it and upload the CSV.',
    reason: 'unsupported',
    binary: true,
  },
  {
    prefix: '7z\u00bc\u00af',
    message: 'This is a compressed file (7-Zip). Unpack it and upload the CSV.',
    reason: 'unsupported',
  },
  {
    prefix: 'Rar!\u001a',
    message: 'This is a compressed file (RAR). Unpack it and upload the CSV.',
    reason: 'unsupported',
  },
  { prefix: '\u007fELF', message: 'This is a program, not a table. Upload a CSV file.', reason: 'unknown_kind' },
  { prefix: 'MZ', message: 'This is a program, not a table. Upload a CSV file.', reason: 'unknown_kind', binary: true },
  { prefix: '\u0089PNG', message: 'This is an image, not a table. Upload a CSV file.', reason: 'unknown_kind' },
  {
    prefix: '\u00ff\u00d8\u00ff',
    message: 'This is an image, not a table. Upload a CSV file.',
    reason: 'unknown_kind',
  },
  {
    prefix: 'GIF8',
    message: 'This is an image, not a table. Upload a CSV file.',
    reason: 'unknown_kind',
    binary: true,
  },
]
const HTML = /^\s*(<!doctype html|<html|<head|<body|<table)/i
const XML = /^\s*<\?xml/i
const JSON_TEXT = /^\s*(\[\s*[[{]|\{\s*")/

/**
 * Refuses what is no delimited text, by its bytes: the name of a file proves nothing.
 * @throws ProductError `file_unreadable` with what the file is and what to do.
 */
export function rejectOtherFormats(head: Uint8Array): void {
  let start = ''
  for (const byte of head.subarray(0, 2048)) start += String.fromCharCode(byte)
  const hasNul = start.slice(0, 512).includes('\0')
  if (start.startsWith('PK\u0003\u0004')) throw zipFormatError(start)
  for (const kind of FILE_SIGNATURES) {
    if (start.startsWith(kind.prefix) && (hasNul || kind.binary !== true))
      throw unreadableError(kind.reason, kind.message)
  }
  const text = start.startsWith('\u00ef\u00bb\u00bf') ? start.slice(3) : start
  if (HTML.test(text)) throw unreadableError('unsupported', `This is a web page. ${SAVE_AS_CSV}`)
  if (XML.test(text)) throw unreadableError('unsupported', `This is an XML file. ${SAVE_AS_CSV}`)
  if (JSON_TEXT.test(text)) throw unreadableError('unsupported', `This is a JSON file. ${OPEN_HINT}`)
}

function zipFormatError(start: string): ProductError {
  if (/xl\/|\[Content_Types\]\.xml|docProps\//.test(start)) return unreadableError('unsupported', EXCEL_MESSAGE)
  return unreadableError('unsupported', `This is a compressed file (zip). ${OPEN_HINT}`)
}

/** Most of what text never holds: control characters other than tab and line ends. */
const CONTROL_MAX_SHARE = 0.05
/** Delimiters that cannot be seen. By themselves they divide cells; bytes of something else hold others as well. */
const UNSEEN_DELIMITERS: readonly number[] = [0x1f, 0x01]
/** @throws ProductError `file_unreadable` when decoded text looks like bytes of something else. */
export function rejectBinaryContent(text: string): void {
  let [controls, delimiters] = [0, 0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (UNSEEN_DELIMITERS.includes(code)) delimiters++
    else if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13)) controls++
  }
  if (controls > 0) controls += delimiters
  if (controls > 8 && controls > text.length * CONTROL_MAX_SHARE)
    throw unreadableError('unknown_kind', 'Not a text table. Upload a CSV file: rows of values with a delimiter.')
}
