import { parquetMetadata } from 'hyparquet'
import type { FileMetaData, RowGroup } from 'hyparquet'
import { DATASET_MAX_ROWS } from '../../shared/limits'
import type { ByteSource } from '../contract'
import { damaged, encrypted, tooLargeInside, tooManyRows } from './faults'
import type { Chunk } from './page-source'
import { leavesOf, schemaTree } from './schema-tree'
import type { SchemaNode } from './schema-tree'

const END_BYTES = 8
const MAGIC_BYTES = 4
const FOOTER_MAX_BYTES = 16 * 1024 * 1024
/** Some writers forget the dictionary's header in a column's length. */
const FORGOTTEN_BYTES = 128
const AHEAD_MAX_BYTES = 512 * 1024
const AHEAD_TOTAL_BYTES = 16 * 1024 * 1024

/** What a file says of itself, checked against itself and its length. */
export interface ParquetFile {
  root: SchemaNode
  leaves: SchemaNode[]
  groups: { rows: number; chunks: Chunk[] }[]
}

const magicOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(-MAGIC_BYTES))

/** @throws ProductError `file_unreadable` (broken, encrypted, unsafe) or `too_large`. */
export async function readMetadata(source: ByteSource): Promise<ParquetFile> {
  const metadata = parse(await footerOf(source))
  const root = schemaTree(metadata.schema)
  const leaves = leavesOf(root)
  const groups = metadata.row_groups.map((group) => ({
    rows: Number(group.num_rows),
    chunks: chunksOf(group, leaves, source.size),
  }))
  const rows = groups.reduce((sum, group) => sum + group.rows, 0)
  if (!groups.every((group) => group.rows >= 0)) throw damaged('a part has an impossible number of rows')
  if (rows > DATASET_MAX_ROWS) throw tooManyRows(rows)
  return { root, leaves, groups }
}

async function footerOf(source: ByteSource): Promise<Uint8Array> {
  if (source.size < END_BYTES + MAGIC_BYTES) throw damaged('it ends early')
  const end = await source.read(source.size - END_BYTES, END_BYTES)
  const magic = magicOf(end)
  if (magic === 'PARE') throw encrypted()
  if (magic !== 'PAR1') throw damaged('its end is missing')
  const length = new DataView(end.buffer, end.byteOffset, end.byteLength).getUint32(0, true)
  if (length > source.size - END_BYTES - MAGIC_BYTES) throw damaged('its description is longer than the file')
  if (length > FOOTER_MAX_BYTES) throw tooLargeInside('The description at the end of the Parquet file is too long.')
  return source.read(source.size - END_BYTES - length, length + END_BYTES)
}

function parse(footer: Uint8Array): FileMetaData {
  try {
    return parquetMetadata(footer, { geoparquet: false })
  } catch (error) {
    throw damaged('its description cannot be read', error)
  }
}

function chunksOf({ columns, num_rows: rows }: RowGroup, leaves: SchemaNode[], size: number): Chunk[] {
  if (columns.some((column) => column.crypto_metadata !== undefined)) throw encrypted()
  if (columns.length !== leaves.length) throw damaged('a part has other columns than its schema')
  const ahead = Math.max(HEADER_ROOM, Math.min(AHEAD_MAX_BYTES, Math.floor(AHEAD_TOTAL_BYTES / columns.length)))
  return columns.map(({ meta_data: meta, file_path: path }, i) => {
    if (!meta || path) throw damaged('a column stands in another file')
    const leaf = leaves[i]
    if (meta.type !== leaf?.element.type || meta.path_in_schema.join('\0') !== leaf.path.join('\0'))
      throw damaged('a part has other columns than its schema')
    const dictionary = Number(meta.dictionary_page_offset ?? 0)
    const data = Number(meta.data_page_offset)
    const start = dictionary > 0 && dictionary < data ? dictionary : data
    const length = Number(meta.total_compressed_size)
    const values = Number(meta.num_values)
    const last = size - END_BYTES
    if (Number(rows) === 0) return { meta, start: 0, end: 0, ahead }
    if (!(start >= MAGIC_BYTES && length >= 0 && start + length <= last && values >= 0))
      throw damaged('a column reaches past the file')
    return { meta, start, end: Math.min(start + length + FORGOTTEN_BYTES, last), ahead }
  })
}
const HEADER_ROOM = 32 * 1024
