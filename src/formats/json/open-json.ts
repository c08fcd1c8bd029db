import { ProductError } from '../../shared/errors'
import type { Encoding, FileWarning } from '../../shared/files'
import { DATASET_MAX_COLUMNS, NAME_MAX_CHARS, SAMPLE_WINDOW_BYTES } from '../../shared/limits'
import type { ByteSource, OpenFile, TableSink } from '../contract'
import { checkBytes, textOf } from '../encoding'
import { planTables } from '../nested/plan'
import { TableShape } from '../nested/shape'
import { TableWriter } from '../nested/table-writer'
import { nestedText } from '../nested/value'
import type { NestedValue } from '../nested/value'
import { pieceDecoder } from '../text-decoder'
import { emptyJson, recordTooLong } from './json-faults'
import { jsonEncoding, layoutOf } from './layout'
import { LineFramer } from './line-framer'
import type { Framer } from './line-framer'
import { RecordRouter, Reopen } from './record-router'
import type { ContainerKind, Opened, RecordTarget } from './record-router'
import { containerName, ValueFramer } from './value-framer'

const HEAD_BYTES = 64 * 1024
/** Bytes between two turns for others. */
const TURN_BYTES = 128 * 1024
/** Containers stepped into: each costs a new beginning, of at most one record's length. */
const REOPEN_MAX = 12

interface TextFile {
  source: ByteSource
  encoding: Encoding
  layout: 'lines' | 'values'
  /** The text begins with a list: its items are the records. */
  list: boolean
  broken: boolean
}

async function inspect(source: ByteSource): Promise<TextFile & { empty: boolean }> {
  const head = await source.read(0, HEAD_BYTES)
  const windows = [head]
  for (const share of [0.5, 1]) {
    const from = Math.floor((source.size - SAMPLE_WINDOW_BYTES / 8) * share) & ~1
    if (from > HEAD_BYTES) windows.push(await source.read(from, SAMPLE_WINDOW_BYTES / 8))
  }
  const encoding = jsonEncoding(windows)
  const text = textOf(head, encoding)
  const whole = source.size <= head.length
  const broken = windows.some((window) => checkBytes(window, encoding, whole).broken)
  const list = text.trimStart().startsWith('[')
  return { source, encoding, layout: layoutOf(text), list, broken, empty: whole && text.trim() === '' }
}

/** Feeds the whole text to a framer. */
async function feed({ source, encoding }: TextFile, framer: Framer, turn: () => Promise<void>): Promise<void> {
  const decoder = pieceDecoder(encoding)
  let first = true
  for await (const piece of source.stream()) {
    for (let at = 0; at < piece.length; at += TURN_BYTES) {
      const { text } = decoder.decode(piece.subarray(at, at + TURN_BYTES))
      framer.push(first && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
      if (text !== '') first = false
      await turn()
    }
  }
  framer.push(decoder.flush().text)
  framer.end()
}

/** What the first reading sees. */
class ShapeTarget implements RecordTarget {
  readonly shape = new TableShape([])
  /** Records that are lists; when all are, their items are cells by position. */
  lists = 0
  widest = 0

  record(value: NestedValue, line: number): void {
    if (value.kind === 'list') {
      this.lists++
      this.widest = Math.max(this.widest, value.items.length)
      if (this.widest > DATASET_MAX_COLUMNS) throw tooWide(line)
    }
    this.shape.observe(value, line)
  }

  single(value: NestedValue, line: number): void {
    this.shape.single = true
    this.shape.observe(value, line)
  }

  row(path: readonly string[], value: NestedValue, { line, name }: { line: number; name?: string }): void {
    const table = this.shape.tableAt(path)
    if (name !== undefined) table.named = true
    table.observe(value, line)
  }

  get positional(): boolean {
    return this.lists > 0 && this.lists === this.shape.rowCount
  }
}

function tooWide(line: number): ProductError {
  return new ProductError(
    'too_large',
    { what: 'columns', max: DATASET_MAX_COLUMNS, line },
    `The list on line ${line} has more than ${DATASET_MAX_COLUMNS} values. Leave out values that are not needed.`,
  )
}

/** Writes records that are lists: their items are cells by position, the first may be names. */
function positionalTarget(sink: TableSink, name: string): RecordTarget {
  const rows = sink.table({ name })
  const add = (value: NestedValue, line: number): void => {
    if (value.kind === 'list') rows.add(value.items.map(cellText), line)
  }
  return { record: add, single: add, row: () => undefined }
}
function cellText(value: NestedValue): string | null {
  if (value.kind === 'null') return null
  return value.kind === 'object' || value.kind === 'list' ? nestedText(value) : value.text
}

function writingTarget(seen: ShapeTarget, sink: TableSink, name: string): RecordTarget & { finish?: () => void } {
  if (seen.positional) return positionalTarget(sink, name)
  const writer = new TableWriter(planTables(seen.shape, name), sink)
  return {
    finish: () => writer.finish(),
    record: (value, line) => writer.write(value, line),
    single: (value, line) => writer.write(value, line),
    row: (path, value, { line, name: key }) =>
      writer.at(path)?.write(value, line, key === undefined ? {} : { name: key }),
  }
}

function framerFor(file: TextFile, opened: Opened, router: RecordRouter): Framer {
  if (file.layout === 'lines') return new LineFramer((text, line) => router.line(text, line))
  return new ValueFramer({
    opened: new Set(opened.keys()),
    onValue: (value) => router.value(value),
    onLong: (path, kind, line) => {
      throw new Reopen(path, kind, line)
    },
  })
}

/** The first reading: what is in the file, and which containers have to be stepped into. */
async function look(
  file: TextFile,
  turn: () => Promise<void>,
): Promise<{ seen: ShapeTarget; opened: Opened; router: RecordRouter }> {
  const opened = new Map<string, ContainerKind>(file.list ? [[containerName([]), 'list']] : [])
  for (let again = 0; ; again++) {
    const seen = new ShapeTarget()
    const router = new RecordRouter(opened, seen)
    try {
      await feed(file, framerFor(file, opened, router), turn)
      router.end()
      return { seen, opened, router }
    } catch (error) {
      if (!(error instanceof Reopen)) throw error
      if (again >= REOPEN_MAX) throw recordTooLong(error.line)
      opened.set(containerName(error.path), error.kind)
    }
  }
}

/**
 * Opens JSON and NDJSON in two readings: the first sees all keys, types and lists, the second writes the tables.
 * One record or one value beside a list is held at a time.
 */
export const openJson: OpenFile = async (source, sink) => {
  const file = await inspect(source)
  if (file.empty) throw emptyJson()
  const turn = (): Promise<void> => sink.flush()
  const { seen, opened, router } = await look(file, turn)
  const target = writingTarget(seen, sink, tableName(source.fileName))
  const writing = new RecordRouter(opened, target)
  await feed(file, framerFor(file, opened, writing), turn)
  writing.end()
  target.finish?.()
  await sink.flush()
  return { warnings: warningsOf(file, seen, router) }
}

function tableName(fileName: string): string {
  return fileName.replace(/\.[a-z]{1,8}$/i, '').slice(0, NAME_MAX_CHARS) || 'records'
}

function warningsOf(
  file: TextFile,
  seen: ShapeTarget,
  { parser, duplicateLine, gluedLine }: RecordRouter,
): FileWarning[] {
  const all: FileWarning[] = []
  if (seen.shape.rowCount === 0) all.push({ code: 'empty_rows', message: 'The file holds no records.' })
  if (duplicateLine !== null)
    all.push({
      code: 'duplicate_headers',
      line: duplicateLine,
      message: `Some objects have the same key twice, first on line ${duplicateLine}. The last value is taken.`,
    })
  if (gluedLine !== null)
    all.push({
      code: 'mixed_formats',
      line: gluedLine,
      message: `Line ${gluedLine} holds several records without a comma between them. Each is read as a record.`,
    })
  if (parser.notNumbers > 0)
    all.push({ code: 'error_cells', message: `NaN and infinity are no numbers: ${parser.notNumbers} are left empty.` })
  if (file.broken)
    all.push({ code: 'invalid_bytes', message: 'Some bytes do not fit the encoding of the file and show as \ufffd.' })
  return all
}
