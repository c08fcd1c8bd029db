import { parquetMetadata, type SchemaElement, type FileMetaData, type RowGroup } from 'hyparquet'
import {
  parquetDamagedError,
  parquetUnsupportedError,
  parquetEncryptedError,
  parquetUnsafeError,
  parquetTooManyRowsError,
} from './parquet-errors'
import { DATASET_MAX_ROWS } from '../../shared/limits'
import type { ByteSource } from '../contract'
import type { ColumnChunk } from './page-reader'

/** A field of the schema, with the levels that say in how far it is there. */
export interface SchemaNode {
  element: SchemaElement
  name: string
  /** Names from the top. */
  path: readonly string[]
  optional: boolean
  repeated: boolean
  /** Definition level of a value that is there. */
  maxDef: number
  /** Repetition level of a further item of the innermost list here. */
  maxRep: number
  children: SchemaNode[]
  /** Position among the columns of the file; -1 for groups. */
  leaf: number
  /** Whether lists stand in it, or values of any form. */
  nested: boolean
  /** Whether it is such a value (VARIANT), or a part of one. */
  variant: 'value' | 'part' | null
}

const DEPTH_MAX = 64
const ELEMENTS_MAX = 20_000
const LEVEL_MAX = 255

/** The schema as a tree. @throws ProductError when its parts do not fit together. */
function buildSchemaTree(elements: SchemaElement[]): SchemaNode {
  if (elements.length > ELEMENTS_MAX) throw parquetUnsupportedError(`a schema of ${elements.length} fields`)
  let next = 0
  let leaves = 0
  const build = (parent: SchemaNode | null): SchemaNode => {
    const element = elements[next++]
    if (!element || (parent?.path.length ?? 0) > DEPTH_MAX) throw parquetDamagedError('its schema is not complete')
    const node = createNode(element, parent)
    const count = element.num_children ?? 0
    if (node.maxDef > LEVEL_MAX) throw parquetDamagedError('its schema is not complete')
    if (count > 0) for (let i = 0; i < count; i++) node.children.push(build(node))
    else if (parent && element.type !== undefined) node.leaf = leaves++
    node.nested = node.repeated || node.variant !== null || node.children.some((child) => child.nested)
    return node
  }
  const root = build(null)
  if (next !== elements.length || leaves === 0) throw parquetDamagedError('its schema is not complete')
  return root
}

function createNode(element: SchemaElement, parent: SchemaNode | null): SchemaNode {
  const optional = parent !== null && element.repetition_type === 'OPTIONAL'
  const repeated = parent !== null && element.repetition_type === 'REPEATED'
  // A damaged schema has fields without a name.
  const name = typeof element.name === 'string' ? element.name : ''
  return {
    element,
    name,
    path: parent ? [...parent.path, name] : [],
    optional,
    repeated,
    maxDef: (parent?.maxDef ?? 0) + Number(optional || repeated),
    maxRep: (parent?.maxRep ?? 0) + Number(repeated),
    children: [],
    leaf: -1,
    nested: false,
    variant: parent?.variant ? 'part' : element.logical_type?.type === 'VARIANT' ? 'value' : null,
  }
}

/** The columns below a field, in the order of the file. */
export function leavesOf(node: SchemaNode): SchemaNode[] {
  return node.leaf >= 0 ? [node] : node.children.flatMap(leavesOf)
}

/** How a group is meant. A repeated field without a list around it is a list itself. */
export function groupKind({ element, children }: SchemaNode): 'list' | 'map' | 'struct' {
  const [only] = children
  if (children.length !== 1 || !only?.repeated) return 'struct'
  const type = element.logical_type?.type ?? element.converted_type
  if (type === 'LIST') return 'list'
  return (type === 'MAP' || type === 'MAP_KEY_VALUE') && only.children.length > 0 ? 'map' : 'struct'
}

/** What one item of a list is: the only field of its repeated group, unless older writers meant the group itself. */
export function listItemNode(repeated: SchemaNode): SchemaNode {
  const [only] = repeated.children
  const { name } = repeated
  if (!only || repeated.children.length > 1 || name === 'array' || name.endsWith('_tuple')) return repeated
  return only
}

const TRAILER_BYTES = 8
const MAGIC_BYTES = 4
const FOOTER_MAX_BYTES = 16 * 1024 * 1024
/** Some writers forget the dictionary's header in a column's length. */
const UNCOUNTED_HEADER_BYTES = 128
const READ_AHEAD_MAX_BYTES = 512 * 1024
const READ_AHEAD_TOTAL_BYTES = 16 * 1024 * 1024

/** What a file says of itself, checked against itself and its length. */
export interface ParquetMetadata {
  root: SchemaNode
  leaves: SchemaNode[]
  groups: { rows: number; chunks: ColumnChunk[] }[]
}

const magicOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(-MAGIC_BYTES))

/** @throws ProductError `file_unreadable` (broken, encrypted, unsafe) or `too_large`. */
export async function readParquetMetadata(source: ByteSource): Promise<ParquetMetadata> {
  const metadata = parseFooter(await readFooter(source))
  const root = buildSchemaTree(metadata.schema)
  const leaves = leavesOf(root)
  const groups = metadata.row_groups.map((group) => ({
    rows: Number(group.num_rows),
    chunks: columnChunks(group, leaves, source.size),
  }))
  const rows = groups.reduce((sum, group) => sum + group.rows, 0)
  if (!groups.every((group) => group.rows >= 0)) throw parquetDamagedError('a part has an impossible number of rows')
  if (rows > DATASET_MAX_ROWS) throw parquetTooManyRowsError(rows)
  return { root, leaves, groups }
}

async function readFooter(source: ByteSource): Promise<Uint8Array> {
  if (source.size < TRAILER_BYTES + MAGIC_BYTES) throw parquetDamagedError('it ends early')
  const end = await source.read(source.size - TRAILER_BYTES, TRAILER_BYTES)
  const magic = magicOf(end)
  if (magic === 'PARE') throw parquetEncryptedError()
  if (magic !== 'PAR1') throw parquetDamagedError('its footer is missing')
  const length = new DataView(end.buffer, end.byteOffset, end.byteLength).getUint32(0, true)
  if (length > source.size - TRAILER_BYTES - MAGIC_BYTES)
    throw parquetDamagedError('its footer is longer than the file')
  if (length > FOOTER_MAX_BYTES) throw parquetUnsafeError('The footer of the Parquet file is too long.')
  return source.read(source.size - TRAILER_BYTES - length, length + TRAILER_BYTES)
}

function parseFooter(footer: Uint8Array): FileMetaData {
  try {
    return parquetMetadata(footer, { geoparquet: false })
  } catch (error) {
    throw parquetDamagedError('its footer can’t be read', error)
  }
}

function columnChunks({ columns, num_rows: rows }: RowGroup, leaves: SchemaNode[], size: number): ColumnChunk[] {
  if (columns.some((column) => column.crypto_metadata !== undefined)) throw parquetEncryptedError()
  if (columns.length !== leaves.length) throw parquetDamagedError('a part has other columns than its schema')
  const ahead = Math.max(
    READ_AHEAD_MIN_BYTES,
    Math.min(READ_AHEAD_MAX_BYTES, Math.floor(READ_AHEAD_TOTAL_BYTES / columns.length)),
  )
  return columns.map(({ meta_data: meta, file_path: path }, i) => {
    if (!meta || path) throw parquetDamagedError('a column is in another file')
    const leaf = leaves[i]
    if (meta.type !== leaf?.element.type || meta.path_in_schema.join('\0') !== leaf.path.join('\0'))
      throw parquetDamagedError('a part has other columns than its schema')
    const dictionary = Number(meta.dictionary_page_offset ?? 0)
    const data = Number(meta.data_page_offset)
    const start = dictionary > 0 && dictionary < data ? dictionary : data
    const length = Number(meta.total_compressed_size)
    const values = Number(meta.num_values)
    const last = size - TRAILER_BYTES
    if (Number(rows) === 0) return { meta, start: 0, end: 0, ahead }
    if (!(start >= MAGIC_BYTES && length >= 0 && start + length <= last && values >= 0))
      throw parquetDamagedError('a column reaches past the file')
    return { meta, start, end: Math.min(start + length + UNCOUNTED_HEADER_BYTES, last), ahead }
  })
}
const READ_AHEAD_MIN_BYTES = 32 * 1024
