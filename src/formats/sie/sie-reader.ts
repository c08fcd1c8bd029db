import type { FileWarning } from '../../shared/data-sources/files'
import { toByteString } from '../encoding/text-decoder'
import type { ByteSource, FormatReader, TableSink } from '../contract'
import { ByteLines, type ByteLine } from './byte-lines'
import { BalanceChecks, WarningCollector } from './validation'
import { FiscalYearResolver } from './fiscal-years'
import { LedgerParser } from './ledger-parser'
import { writeMasterTables } from './master-tables'
import { MetadataReader, type LedgerMetadata } from './metadata'
import { scanSie5, Sie5Records } from './sie5'
import { LedgerTableWriter } from './ledger-tables'

const SIE_LABEL =
  /^[ \t]*#(FLAGGA|FORMAT|SIETYP|PROGRAM|GEN|KSUMMA|FNAMN|ORGNR|FNR|RAR|KONTO|KPTYP|PROSA)(?=[ \t\r\n]|$)/gim
const SIE5_ROOT = /<(?:\w+:)?Sie(?:Entry)?[\s>]/
const HEAD_BYTES = 64 * 1024
/** Pieces between two flushes, in bytes. */
const FLUSH_BYTES = 64 * 1024

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
  readsTwice: true,
  recognises(head) {
    const text = headText(head)
    if (isSie5(text)) return true
    const labels = new Set(Array.from(text.matchAll(SIE_LABEL), ([, label = '']) => label.toUpperCase()))
    const first = /^[^#\r\n]{0,3}[\s]*#FLAGGA[ \t\r\n]/i.test(text)
    return first || (labels.size >= 3 && /^[^#\w]*#\w/.test(text))
  },
  async open(source, sink) {
    const head = await source.read(0, HEAD_BYTES)
    if (isSie5(headText(head))) return openSie5(source, sink)
    const warnings = new WarningCollector()
    const surveyor = new MetadataReader()
    const bytes = { source, sink, wide: detectUtf16Bom(head) }
    await forEachLine(bytes, (line) => surveyor.line(line))
    return writeLedger(sink, { survey: surveyor.finish(warnings), warnings }, (reading) =>
      forEachLine(bytes, (line) => reading.line(line)),
    )
  },
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
async function forEachLine(
  { source, sink, wide }: { source: ByteSource; sink: TableSink; wide: 'utf-16le' | 'utf-16be' | null },
  onLine: (line: ByteLine) => void,
): Promise<void> {
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
