import type { FileWarning } from '../../shared/data-sources/files'
import { toByteString } from '../encoding/text-decoder'
import type { ByteSource, FormatReader, TableSink } from '../contract'
import { ByteLines, startsWith, VER_LABEL, type ByteLine } from './byte-lines'
import { BalanceChecks, WarningCollector } from './validation'
import { FiscalYearResolver } from './fiscal-years'
import { LedgerParser } from './ledger-parser'
import { writeMasterTables } from './master-tables'
import { MetadataReader, type LedgerMetadata } from './metadata'
import { rereadSource } from './reread-source'
import { scanSie5, Sie5Records } from './sie5'
import { LedgerTableWriter } from './ledger-tables'

const SIE_LABEL =
  /^[ \t]*#(FLAGGA|FORMAT|SIETYP|PROGRAM|GEN|KSUMMA|FNAMN|ORGNR|FNR|RAR|KONTO|KPTYP|PROSA)(?=[ \t\r\n]|$)/gim
const SIE5_ROOT = /<(?:\w+:)?Sie(?:Entry)?[\s>]/
const HEAD_BYTES = 64 * 1024
/** Pieces between two flushes, in bytes. */
const FLUSH_BYTES = 64 * 1024
/** The first voucher stands within so much, or the file is read twice. */
const NAMES_MAX_BYTES = 4 * 1024 * 1024

/** UTF-16 shows as letters with NULs between them. */
const headText = (head: Uint8Array): string => toByteString(head.subarray(0, HEAD_BYTES)).replaceAll('\0', '')

const detectUtf16Bom = (head: Uint8Array): 'utf-16le' | 'utf-16be' | null =>
  head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null

/** After a byte order mark of UTF-8 or UTF-16, whose bytes are letters here. */
const XML_START = /^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)?[\u0000-\u0020]*<\?xml/
const isSie5 = (text: string): boolean => XML_START.test(text) && SIE5_ROOT.test(text)

/** Bookkeeping in the Swedish SIE format, types 1–4, 4I and 5, as the tables of a ledger. */
export const sieReader: FormatReader = {
  kind: 'sie',
  recognises(head) {
    const text = headText(head)
    if (isSie5(text)) return true
    const labels = new Set(Array.from(text.matchAll(SIE_LABEL), ([, label = '']) => label.toUpperCase()))
    const first = /^[^#\r\n]{0,3}[\s]*#FLAGGA[ \t\r\n]/i.test(text)
    return first || (labels.size >= 3 && /^[^#\w]*#\w/.test(text))
  },
  async open(source, sink) {
    const head = await source.read(0, HEAD_BYTES)
    if (isSie5(headText(head))) return openSie5(rereadSource(source), sink)
    const wide = detectUtf16Bom(head)
    const once = sink.restart ? await readOnce({ source, sink, wide }) : null
    if (once) return once
    const warnings = new WarningCollector()
    const surveyor = new MetadataReader()
    const bytes = { source: rereadSource(source), sink, wide }
    await forEachLine(bytes, (line) => surveyor.line(line))
    return writeLedger(sink, { survey: surveyor.finish(warnings), warnings }, (reading) =>
      forEachLine(bytes, (line) => reading.line(line)),
    )
  },
}

interface SieBytes {
  source: ByteSource
  sink: TableSink
  wide: 'utf-16le' | 'utf-16be' | null
}

/** All that is said before the first voucher was not all that is to be known before it is read. */
class NamesFollow extends Error {}

/**
 * Reads a ledger from its first byte to its last, as all that names things stands before the first voucher in nearly all of
 * them, and all are written as those names are.
 * @returns null where one is not so, with nothing written
 */
async function readOnce(bytes: SieBytes): Promise<{ warnings: FileWarning[] } | null> {
  const surveyor = new MetadataReader()
  const head = await readNames(bytes, surveyor)
  if (head === null) return null
  const warnings = new WarningCollector()
  const survey = surveyor.finish(warnings)
  try {
    return await writeLedger(bytes.sink, { survey, warnings }, async (reading) => {
      await forEachLine(bytes, (line) => {
        if (line.line > head) surveyor.line(line)
        if (surveyor.isOverdue) throw new NamesFollow()
        reading.line(line)
      })
      if (surveyor.isOtherwise) throw new NamesFollow()
    })
  } catch (error) {
    if (!(error instanceof NamesFollow)) throw error
    await bytes.sink.restart?.()
    return null
  }
}

/** Reads what stands before the first voucher. @returns its last line; null where no voucher comes soon */
async function readNames({ source, wide }: SieBytes, surveyor: MetadataReader): Promise<number | null> {
  if (wide) return null
  const lines = new ByteLines()
  let read = 0
  let last: number | null = null
  const onLine = (line: ByteLine): void => {
    if (last === null && startsWith(line.bytes, line.start, VER_LABEL)) last = line.line - 1
    if (last === null) surveyor.line(line)
  }
  for await (const piece of source.stream()) {
    lines.push(piece)
    while (lines.read(onLine));
    read += piece.length
    if (last !== null || read > NAMES_MAX_BYTES) break
  }
  return last
}

async function openSie5(source: ByteSource, sink: TableSink): Promise<{ warnings: FileWarning[] }> {
  const warnings = new WarningCollector()
  const surveyor = new MetadataReader()
  const names = new Sie5Records((record) => surveyor.record(record))
  await scanSie5(source, sink, names)
  for (const [name, count] of names.passedOver)
    warnings.add('unknown_records', `Skipped: ${count.toLocaleString('en-US')} × ${name}. Subledgers aren’t imported.`)
  const survey = surveyor.finishAs({ decodeLine: (text) => text, byteLetters: null }, warnings)
  return writeLedger(sink, { survey, warnings }, (reading) =>
    scanSie5(source, sink, new Sie5Records(({ label, fields, line }) => reading.record(label, { fields, line }))),
  )
}

/** The second reading: `read` hands all records to the parser. */
async function writeLedger(
  sink: TableSink,
  { survey, warnings }: { survey: LedgerMetadata; warnings: WarningCollector },
  read: (reading: LedgerParser) => Promise<void>,
): Promise<{ warnings: FileWarning[] }> {
  const tables = new LedgerTableWriter(sink)
  const years = new FiscalYearResolver(survey.years, warnings)
  const ledger = { survey, tables, years, checks: new BalanceChecks(), warnings }
  const reading = new LedgerParser(ledger)
  await read(reading)
  reading.finish()
  await writeMasterTables(ledger, () => sink.flush())
  tables.finish(survey.company.currency, survey.years.get(0)?.name ?? null)
  await sink.flush()
  return { warnings: warnings.list() }
}

/** Reads the file from its first byte and hands over its lines; others get their turn after every piece. */
async function forEachLine({ source, sink, wide }: SieBytes, onLine: (line: ByteLine) => void): Promise<void> {
  const lines = new ByteLines()
  const decoder = wide ? new TextDecoder(wide) : null
  const encoder = new TextEncoder()
  let unflushed = 0
  for await (const piece of source.stream()) {
    lines.push(decoder ? encoder.encode(decoder.decode(piece, { stream: true })) : piece)
    while (lines.read(onLine)) if (sink.isFlushDue?.() === true) await sink.flush()
    unflushed += piece.length
    if (unflushed < FLUSH_BYTES) continue
    unflushed = 0
    await sink.flush()
  }
  lines.finish(onLine)
}
