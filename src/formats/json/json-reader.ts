import { ProductError } from '../../shared/errors'
import type { Encoding, FileWarning } from '../../shared/data-sources/files'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS, NAME_MAX_CHARS, SAMPLE_WINDOW_BYTES } from '../../shared/limits'
import type { ByteSource, ExtractTables, TableSink, FormatReader } from '../contract'
import { checkDecoding, decodeStart } from '../encoding/detect-encoding'
import { layoutTables, NestedTableWriter } from '../nested/nested-table-writer'
import { InferredTable } from '../nested/infer-tables'
import { toJsonText, type NestedValue } from '../nested/nested-value'
import { createChunkDecoder } from '../encoding/text-decoder'
import { emptyJsonError, jsonRecordTooLongError } from './json-parser'
import { detectJsonEncoding, detectRecordLayout, detectJsonKind } from './detect-json'
import { LineFramer, containerKey, ValueFramer, type RecordFramer } from './record-framers'
import { RecordRouter, ExpandContainersSignal } from './record-router'
import type { ContainerKind, ContainerRef, ExpandedContainers, RecordSink } from './record-router'

const HEAD_BYTES = 64 * 1024
/** Bytes between two turns for others. */
const DECODE_CHUNK_BYTES = 128 * 1024
/** Containers stepped into at most, the outermost among them: each may be a table. */
const STEPPED_INTO_MAX = 13
/** Readings until what is in the file is known. */
const READINGS_MAX = 6

interface JsonFile {
  source: ByteSource
  encoding: Encoding
  layout: 'lines' | 'values'
  /** The text begins with a list: its items are the records. */
  list: boolean
  broken: boolean
}

async function inspectJsonFile(source: ByteSource): Promise<JsonFile & { empty: boolean }> {
  const head = await source.read(0, HEAD_BYTES)
  const windows = [head]
  for (const share of [0.5, 1]) {
    const from = Math.floor((source.size - SAMPLE_WINDOW_BYTES / 8) * share) & ~1
    if (from > HEAD_BYTES) windows.push(await source.read(from, SAMPLE_WINDOW_BYTES / 8))
  }
  const encoding = detectJsonEncoding(windows)
  const text = decodeStart(head, encoding)
  const whole = source.size <= head.length
  const broken = windows.some((window) => checkDecoding(window, encoding, whole).broken)
  const list = text.trimStart().startsWith('[')
  return { source, encoding, layout: detectRecordLayout(text), list, broken, empty: whole && text.trim() === '' }
}

/** Feeds the whole text to a framer. */
async function feedFramer(
  { source, encoding }: JsonFile,
  framer: RecordFramer,
  turn: () => Promise<void>,
): Promise<void> {
  const decoder = createChunkDecoder(encoding)
  const push = async (text: string): Promise<void> => {
    for (let all = framer.push(text); !all; all = framer.push('')) await turn()
  }
  let first = true
  for await (const piece of source.stream()) {
    for (let at = 0; at < piece.length; at += DECODE_CHUNK_BYTES) {
      const { text } = decoder.decode(piece.subarray(at, at + DECODE_CHUNK_BYTES))
      await push(first && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
      if (text !== '') first = false
      await turn()
    }
  }
  await push(decoder.flush().text)
  framer.end()
}

/** What the first reading sees. */
class SchemaCollector implements RecordSink {
  readonly shape = new InferredTable([])
  /** Records that are lists; when all are, their items are cells by position. */
  lists = 0
  widest = 0

  record(value: NestedValue, line: number): void {
    if (value.kind === 'list') {
      this.lists++
      this.widest = Math.max(this.widest, value.items.length)
      if (this.widest > DATASET_MAX_COLUMNS) throw listTooLongError(line)
    }
    this.shape.observe(value, line)
  }

  single(value: NestedValue, line: number): void {
    this.shape.isSingleRow = true
    this.shape.observe(value, line)
  }

  row(path: readonly string[], value: NestedValue, { line, name }: { line: number; name?: string }): void {
    const table = this.shape.tableAt(path)
    if (name !== undefined) table.isKeyed = true
    table.observe(value, line)
  }

  get positional(): boolean {
    return this.lists > 0 && this.lists === this.shape.rowCount
  }
}

function listTooLongError(line: number): ProductError {
  return new ProductError(
    'too_large',
    { what: 'columns', max: DATASET_MAX_COLUMNS, line },
    `The list on line ${line} has more than ${DATASET_MAX_COLUMNS} values. Remove values you don’t need.`,
  )
}

/** Writes records that are lists: their items are cells by position, the first may be names. */
function createPositionalSink(sink: TableSink, name: string): RecordSink {
  const rows = sink.table({ name })
  const add = (value: NestedValue, line: number): void => {
    if (value.kind === 'list') rows.add(value.items.map(toCellText), line)
  }
  return { record: add, single: add, row: () => undefined }
}
function toCellText(value: NestedValue): string | null {
  if (value.kind === 'null') return null
  return value.kind === 'object' || value.kind === 'list' ? toJsonText(value, CELL_MAX_BYTES) : value.text
}

function createTableSink(seen: SchemaCollector, sink: TableSink, name: string): RecordSink & { finish?: () => void } {
  if (seen.positional) return createPositionalSink(sink, name)
  const writer = new NestedTableWriter(layoutTables(seen.shape, name), sink)
  return {
    finish: () => writer.finish(),
    record: (value, line) => writer.write(value, line),
    single: (value, line) => writer.write(value, line),
    row: (path, value, { line, name: key }) =>
      writer.at(path)?.write(value, line, key === undefined ? {} : { name: key }),
  }
}

type OpenContainers = (containers: readonly ContainerRef[], line: number) => void

/** @param step Steps into what is too much at once. */
function createFramer(
  file: JsonFile,
  { containers, router, step }: { containers: ExpandedContainers; router: RecordRouter; step: OpenContainers },
): RecordFramer {
  if (file.layout === 'lines') return new LineFramer((text, line) => router.line(text, line))
  const enter = (ref: ContainerRef, line: number): void => {
    // Another of the same name is held already: they are read alike.
    if (router.memberAt(ref.path) && ref.path.length > 0) throw new ExpandContainersSignal([ref], line)
    step([ref], line)
  }
  return new ValueFramer({
    opened: { has: (key) => containers.has(key) },
    onValue: (value) => {
      const isTaken = router.value(value)
      if (!isTaken) {
        const path = value.container ? [...value.container, value.key ?? ''] : []
        enter({ path, kind: value.text.startsWith('[') ? 'list' : 'object' }, value.line)
      }
      return isTaken
    },
    onTooLong: (path, kind, line) => enter({ path, kind }, line),
  })
}

/** The first reading: what is in the file, and which containers have to be stepped into. */
async function inferJsonSchema(
  file: JsonFile,
  turn: () => Promise<void>,
): Promise<{ seen: SchemaCollector; opened: ExpandedContainers; router: RecordRouter; names: Map<string, string[]> }> {
  const opened = new Map<string, ContainerKind>(file.list ? [[containerKey([]), 'list']] : [])
  const step: OpenContainers = (containers, line) => {
    for (const { path, kind } of containers) opened.set(containerKey(path), kind)
    if (opened.size > STEPPED_INTO_MAX) throw jsonRecordTooLongError(line)
  }
  let names = new Map<string, string[]>()
  for (let again = 0; ; again++) {
    const seen = new SchemaCollector()
    const router = new RecordRouter(opened, seen, names)
    try {
      await feedFramer(file, createFramer(file, { containers: opened, router, step }), turn)
      router.end()
      const found = router.listNames()
      if (found.size === names.size) return { seen, opened, router, names }
      names = found
    } catch (error) {
      if (!(error instanceof ExpandContainersSignal)) throw error
      if (again >= READINGS_MAX) throw jsonRecordTooLongError(error.line)
      step(error.containers, error.line)
    }
  }
}

/**
 * Opens JSON and NDJSON in two readings: the first sees all keys, types and lists, the second writes the tables.
 * One record or one value beside a list is held at a time.
 */
const extractJsonTables: ExtractTables = async (source, sink) => {
  const file = await inspectJsonFile(source)
  if (file.empty) throw emptyJsonError()
  const turn = (): Promise<void> => sink.flush()
  const { seen, opened, router, names } = await inferJsonSchema(file, turn)
  const target = createTableSink(seen, sink, jsonTableName(source.fileName))
  const writing = new RecordRouter(opened, target, names)
  const step: OpenContainers = (_containers, line) => {
    throw jsonRecordTooLongError(line)
  }
  await feedFramer(file, createFramer(file, { containers: opened, router: writing, step }), turn)
  writing.end()
  target.finish?.()
  await sink.flush()
  return { warnings: jsonWarnings(file, seen, router) }
}

function jsonTableName(fileName: string): string {
  return fileName.replace(/\.[a-z]{1,8}$/i, '').slice(0, NAME_MAX_CHARS) || 'records'
}

function brokenLineWarnings({ lines, count }: RecordRouter['broken']): FileWarning[] {
  const all = lines.map((line): FileWarning => ({
    code: 'skipped_entry',
    line,
    message: `Line ${line} isn’t valid JSON and is skipped.`,
  }))
  const more = count - lines.length
  if (more > 0) all.push({ code: 'skipped_entry', message: `${more} more lines aren’t valid JSON and are skipped.` })
  return all
}

function jsonWarnings(
  file: JsonFile,
  seen: SchemaCollector,
  { parser, duplicateLine, sharedLine, broken }: RecordRouter,
): FileWarning[] {
  const all = brokenLineWarnings(broken)
  if (seen.shape.rowCount === 0) all.push({ code: 'empty_rows', message: 'The file has no records.' })
  if (duplicateLine !== null)
    all.push({
      code: 'duplicate_headers',
      line: duplicateLine,
      message: `Some objects have the same key twice, first on line ${duplicateLine}. The last value is used.`,
    })
  if (sharedLine !== null)
    all.push({
      code: 'mixed_formats',
      line: sharedLine,
      message: `Line ${sharedLine} holds several records without a comma between them. Each is imported as a record.`,
    })
  if (parser.nonFiniteCount > 0)
    all.push({
      code: 'error_cells',
      message: `NaN and infinity aren’t numbers: ${parser.nonFiniteCount} are left empty.`,
    })
  if (file.broken) all.push({ code: 'invalid_bytes', message: 'Some bytes don’t fit the encoding and show as \ufffd.' })
  return all
}

/** JSON: a list of records, one object, or objects by name. */
export const jsonReader: FormatReader = {
  kind: 'json',
  recognises: (head, fileName) => detectJsonKind(head, fileName) === 'json',
  open: extractJsonTables,
}

/** Newline-delimited JSON: a record on each line. */
export const ndjsonReader: FormatReader = {
  kind: 'ndjson',
  recognises: (head, fileName) => detectJsonKind(head, fileName) === 'ndjson',
  open: extractJsonTables,
}
