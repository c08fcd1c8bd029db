import type { ColumnMetaData, PageHeader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { crc32 } from '../../lib/crc32'
import type { ByteSource } from '../contract'
import { parquetDamagedError } from './parquet-errors'

const HEADER_READ_BYTES = 16 * 1024
const HEADER_MAX_BYTES = 4 * 1024 * 1024

/** Where one column of a row group stands in the file. */
export interface ColumnChunk {
  meta: ColumnMetaData
  start: number
  /** Behind its last byte. */
  end: number
  /** Bytes that are read at a time. */
  ahead: number
}

/** Pages of one column of a row group, packed as they are in the file, read through a window. */
export class PageReader {
  private at: number
  private window: Uint8Array = new Uint8Array(0)
  private windowAt = 0

  constructor(
    private readonly source: ByteSource,
    private readonly chunk: ColumnChunk,
    /** Told of a page that is not what its checksum says. */
    private readonly onBadChecksum: () => void,
  ) {
    this.at = chunk.start
  }

  /** The next page. @throws ProductError when there is none. */
  async next(): Promise<{ header: PageHeader; body: Uint8Array }> {
    const header = await this.header(HEADER_READ_BYTES)
    const size = header.compressed_page_size
    if (!(size >= 0) || this.at + size > this.chunk.end) throw parquetDamagedError('a page reaches past its column')
    const body = await this.bytes(size)
    this.at += size
    if (header.crc !== undefined && crc32(body) !== header.crc >>> 0) this.onBadChecksum()
    return { header, body }
  }

  private async header(length: number): Promise<PageHeader> {
    const bytes = await this.bytes(Math.min(length, this.chunk.end - this.at))
    if (bytes.length === 0) throw parquetDamagedError('a column ends before its last value')
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
    try {
      const header = parquetHeader(reader)
      if (!headerNumbers(header).every(isIntegerOrAbsent)) throw parquetDamagedError('the header of a page is broken')
      this.at += reader.offset
      return header
    } catch (error) {
      // Statistics can make a header long: it is looked at again with more behind it.
      if (length >= HEADER_MAX_BYTES || bytes.length < length)
        throw parquetDamagedError('the header of a page is broken', error)
      return this.header(length * 16)
    }
  }

  private async bytes(length: number): Promise<Uint8Array> {
    const from = this.at - this.windowAt
    if (from < 0 || from + length > this.window.length) {
      const wanted = Math.min(Math.max(length, this.chunk.ahead), this.chunk.end - this.at)
      this.window = await this.source.read(this.at, wanted)
      this.windowAt = this.at
      if (this.window.length < length) throw parquetDamagedError('it ends early')
      return this.window.subarray(0, length)
    }
    return this.window.subarray(from, from + length)
  }
}

const isIntegerOrAbsent = (value: unknown): boolean => value === undefined || Number.isInteger(value)

/** What a header counts. Its numbers are as the file wrote them, whatever their types say. */
function headerNumbers(header: PageHeader): unknown[] {
  const { data_page_header: one, data_page_header_v2: two, dictionary_page_header: dictionary } = header
  return [
    header.compressed_page_size,
    header.uncompressed_page_size,
    header.crc,
    one?.num_values,
    dictionary?.num_values,
    two?.num_values,
    two?.definition_levels_byte_length,
    two?.repetition_levels_byte_length,
  ]
}
