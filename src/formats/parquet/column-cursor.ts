import type { PageHeader } from 'hyparquet'
import { ProductError } from '../../shared/errors'
import type { ByteSource } from '../contract'
import type { InflationBudget } from '../inflation-budget'
import {
  decompressPage,
  assertPageSize,
  decodeDataPage,
  decodeDataPageV2,
  levelByteLength,
  decodePlainValues,
} from './page-decoder'
import type { DecodedPage } from './page-decoder'
import type { ColumnTypeTracker, ValueFormatter } from './value-formatter'
import { parquetDamagedError } from './parquet-errors'
import { PageReader, type ColumnChunk } from './page-reader'
import type { SchemaNode } from './parquet-metadata'

type DictionaryTexts = readonly (string | null)[]

/** Entries at hand, and the texts of those that have a value. */
interface BufferedEntries {
  count: number
  defs: Uint8Array | null
  reps: Uint8Array | null
  text: (index: number) => string | null
}
const NO_ENTRIES: BufferedEntries = { count: 0, defs: null, reps: null, text: () => null }

/** Goes through one column of a row group, page by page. Entries are taken with their levels. */
export class ColumnCursor {
  private readonly pages: PageReader
  private readonly leaf: ValueFormatter
  private readonly codec: ColumnChunk['meta']['codec']
  private left: number
  private dictionary: DictionaryTexts | null = null
  private entries = NO_ENTRIES
  private entry = 0
  private value = 0
  /** Rows that are whole and not taken yet. */
  rowsReady = 0
  /** Unpacked bytes of the page and the dictionary at hand. */
  bufferedBytes = 0
  private dictionaryBytes = 0

  private readonly inflation: InflationBudget

  constructor(
    file: { source: ByteSource; inflation: InflationBudget },
    readonly node: SchemaNode,
    notes: ColumnTypeTracker,
    columnChunk: ColumnChunk,
  ) {
    this.leaf = notes.leaf
    this.pages = new PageReader(file.source, columnChunk, () => notes.checksumErrorCount++)
    this.inflation = file.inflation
    this.codec = columnChunk.meta.codec
    this.left = Number(columnChunk.meta.num_values)
  }

  /** Whether all entries were taken. */
  get done(): boolean {
    return this.left === 0 && this.entry >= this.entries.count
  }

  /** Repetition level of the next entry; -1: there is none at hand. */
  get rep(): number {
    if (this.entry >= this.entries.count) return -1
    return this.entries.reps?.[this.entry] ?? 0
  }

  /** Definition level of the next entry. */
  get def(): number {
    if (this.entry >= this.entries.count) throw parquetDamagedError('its columns are of different lengths')
    return this.entries.defs?.[this.entry] ?? this.node.maxDef
  }

  /** Takes one entry; null: no value there. */
  take(): string | null {
    const there = this.def === this.node.maxDef
    this.entry++
    return there ? this.entries.text(this.value++) : null
  }

  /** Makes at least one row ready. @throws ProductError when the pages end before. */
  async load(): Promise<void> {
    while (this.rowsReady === 0) {
      if (this.left === 0) throw parquetDamagedError('its columns are of different lengths')
      const held = this.takeRemaining()
      const page = await this.nextPage()
      this.entries = held ? prependEntries(held, page, this.node) : page
      this.entry = 0
      this.value = 0
      this.rowsReady = countCompleteRows(this.entries, this.left === 0)
    }
  }

  /** Entries of a row that may go on in the next page. */
  private takeRemaining(): CarriedEntries | null {
    if (this.entry >= this.entries.count) return null
    const carriedEntries: CarriedEntries = { defs: [], reps: [], texts: [] }
    while (this.entry < this.entries.count) {
      const { def, rep } = this
      const text = this.take()
      carriedEntries.defs.push(def)
      carriedEntries.reps.push(rep)
      if (def === this.node.maxDef) carriedEntries.texts.push(text)
    }
    return carriedEntries
  }

  private async nextPage(): Promise<BufferedEntries> {
    for (;;) {
      const { header, body } = await this.pages.next()
      if (header.type === 'INDEX_PAGE') continue
      assertPageSize(header)
      this.inflation.consume(header.uncompressed_page_size)
      if (header.type === 'DICTIONARY_PAGE') {
        withDecodeErrors(() => this.readDictionary(header, body))
        continue
      }
      const page = withDecodeErrors(() => this.dataPage(header, body))
      this.left -= page.count
      this.bufferedBytes = this.dictionaryBytes + header.uncompressed_page_size
      if (this.left < 0) throw parquetDamagedError('a column has more values than announced')
      return { ...page, text: this.textsOf(page) }
    }
  }

  private readDictionary(header: PageHeader, body: Uint8Array): void {
    const count = header.dictionary_page_header?.num_values ?? -1
    if (this.dictionary || count < 0) throw parquetDamagedError('a column has a dictionary that does not fit')
    const values = decodePlainValues(decompressPage(this.codec, body, header.uncompressed_page_size), count, this.node)
    this.dictionary = Array.from(values, (value) => this.leaf.text(value))
    this.dictionaryBytes = header.uncompressed_page_size
  }

  private dataPage(header: PageHeader, body: Uint8Array): DecodedPage {
    const size = header.uncompressed_page_size
    if (header.type === 'DATA_PAGE') return decodeDataPage(decompressPage(this.codec, body, size), header, this.node)
    if (header.type !== 'DATA_PAGE_V2') throw parquetDamagedError('a page is of an unknown kind')
    const before = levelByteLength(header)
    const packed = header.data_page_header_v2?.is_compressed !== false
    const values = decompressPage(packed ? this.codec : 'UNCOMPRESSED', body.subarray(before), size - before)
    return decodeDataPageV2({ levels: body.subarray(0, before), values }, header, this.node)
  }

  private textsOf({ indexes, values }: DecodedPage): (index: number) => string | null {
    const { dictionary, leaf } = this
    if (!indexes) {
      return (index) => {
        const value = values?.[index]
        if (value === undefined) throw parquetDamagedError('a page holds fewer values than announced')
        return leaf.text(value)
      }
    }
    return (index) => {
      const text = dictionary?.[indexes[index] ?? -1]
      if (text === undefined) throw parquetDamagedError('a value is not in its dictionary')
      return text
    }
  }
}

/** The decoders of the format throw plain errors where bytes make no sense to them. */
function withDecodeErrors<T>(decode: () => T): T {
  try {
    return decode()
  } catch (error) {
    throw error instanceof ProductError ? error : parquetDamagedError('its values can’t be read', error)
  }
}

interface CarriedEntries {
  defs: number[]
  reps: number[]
  texts: (string | null)[]
}

function prependEntries(
  { defs, reps, texts }: CarriedEntries,
  page: BufferedEntries,
  { maxDef }: SchemaNode,
): BufferedEntries {
  const before = defs.length
  const all = { defs: new Uint8Array(before + page.count), reps: new Uint8Array(before + page.count) }
  all.defs.set(defs)
  all.reps.set(reps)
  if (page.defs) all.defs.set(page.defs, before)
  else all.defs.fill(maxDef, before)
  if (page.reps) all.reps.set(page.reps, before)
  const text = (index: number): string | null =>
    index < texts.length ? (texts[index] ?? null) : page.text(index - texts.length)
  return { count: before + page.count, ...all, text }
}

/** Rows that are whole: the last one of a list column may go on in the next page. */
function countCompleteRows({ count, reps }: BufferedEntries, last: boolean): number {
  if (!reps) return count
  let rows = 0
  for (let i = 0; i < count; i++) if (reps[i] === 0) rows++
  return last ? rows : Math.max(0, rows - 1)
}
