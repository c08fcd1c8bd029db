import { ProductError } from '../shared/errors'
import type { FileUnreadableReason } from '../shared/errors'

interface Kind {
  name: string
  at: string
  reason: FileUnreadableReason
  /** A text could begin with the same letters: only with NUL bytes near is it that kind. */
  binary?: true
}
const SAVE_AS_CSV = 'Open it where it was made, save it as CSV and upload that.'
/** Kinds that have a reader of their own never come here when a file is opened; only what asks for a text does. */
const OPEN_IT = 'Its tables are taken out when the upload is opened; it cannot be read as text.'
const EXCEL = `This is an Excel workbook. ${OPEN_IT}`
const KINDS: readonly Kind[] = [
  { at: '\u00d0\u00cf\u0011\u00e0', name: EXCEL, reason: 'unsupported' },
  { at: '%PDF-', name: `This is a PDF document. ${SAVE_AS_CSV}`, reason: 'unsupported' },
  { at: 'PAR1', name: `This is a Parquet file. ${OPEN_IT}`, reason: 'unsupported', binary: true },
  { at: 'SQLite format 3', name: `This is an SQLite database. ${SAVE_AS_CSV}`, reason: 'unsupported' },
  { at: '#FLAGGA', name: `This is a SIE file. ${OPEN_IT}`, reason: 'unsupported' },
  { at: '{\\rtf', name: `This is a text document (RTF). ${SAVE_AS_CSV}`, reason: 'unsupported' },
  {
    at: '\u001f\u008b',
    name: 'This is a compressed file (gzip). Unpack it and upload the CSV.',
    reason: 'unsupported',
  },
  {
    at: 'BZh',
    name: 'This is a compressed file (bzip2). Unpack it and upload the CSV.',
    reason: 'unsupported',
    binary: true,
  },
  {
    at: '7z\u00bc\u00af',
    name: 'This is a compressed file (7-Zip). Unpack it and upload the CSV.',
    reason: 'unsupported',
  },
  { at: 'Rar!\u001a', name: 'This is a compressed file (RAR). Unpack it and upload the CSV.', reason: 'unsupported' },
  { at: '\u007fELF', name: 'This is a program, not a table. Upload a CSV file.', reason: 'unknown_kind' },
  { at: 'MZ', name: 'This is a program, not a table. Upload a CSV file.', reason: 'unknown_kind', binary: true },
  { at: '\u0089PNG', name: 'This is a picture, not a table. Upload a CSV file.', reason: 'unknown_kind' },
  { at: '\u00ff\u00d8\u00ff', name: 'This is a picture, not a table. Upload a CSV file.', reason: 'unknown_kind' },
  { at: 'GIF8', name: 'This is a picture, not a table. Upload a CSV file.', reason: 'unknown_kind', binary: true },
]
const HTML = /^\s*(<!doctype html|<html|<head|<body|<table)/i
const XML = /^\s*<\?xml/i
const JSON_TEXT = /^\s*(\[\s*[[{]|\{\s*")/

const refuse = (reason: FileUnreadableReason, message: string): ProductError =>
  new ProductError('file_unreadable', { reason }, message)

/**
 * Refuses what is no delimited text, by its bytes: the name of a file proves nothing.
 * @throws ProductError `file_unreadable` with what the file is and what to do.
 */
export function refuseOtherKinds(head: Uint8Array): void {
  let start = ''
  for (const byte of head.subarray(0, 2048)) start += String.fromCharCode(byte)
  const hasNul = start.slice(0, 512).includes('\0')
  if (start.startsWith('PK\u0003\u0004')) throw zipped(start)
  for (const kind of KINDS) {
    if (start.startsWith(kind.at) && (hasNul || kind.binary !== true)) throw refuse(kind.reason, kind.name)
  }
  const text = start.startsWith('\u00ef\u00bb\u00bf') ? start.slice(3) : start
  if (HTML.test(text)) throw refuse('unsupported', `This is a web page. ${SAVE_AS_CSV}`)
  if (XML.test(text)) throw refuse('unsupported', `This is an XML file. ${SAVE_AS_CSV}`)
  if (JSON_TEXT.test(text)) throw refuse('unsupported', `This is a JSON file. ${OPEN_IT}`)
}

function zipped(start: string): ProductError {
  if (/xl\/|\[Content_Types\]\.xml|docProps\//.test(start)) return refuse('unsupported', EXCEL)
  return refuse('unsupported', `This is a compressed file (zip). ${OPEN_IT}`)
}

/** Most of what text never holds: control characters other than tab and line ends. */
const CONTROL_MAX_SHARE = 0.05
/** @throws ProductError `file_unreadable` when decoded text looks like bytes of something else. */
export function refuseNoise(text: string): void {
  let controls = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13)) controls++
  }
  if (controls > 8 && controls > text.length * CONTROL_MAX_SHARE)
    throw refuse('unknown_kind', 'This is no table of text. Upload a CSV file: rows of values with a separator.')
}
