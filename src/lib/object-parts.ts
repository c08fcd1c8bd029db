/*
 * Objects that arrive in parts, each of which is an object of its own: it is there as soon as it has come, and nothing has
 * to be joined. The key of the whole says how long it and its parts are; there is no object under that key itself.
 */

/** Bytes of the whole, and of each part but the last. */
interface PartsLayout {
  size: number
  partBytes: number
}

const LAYOUT = /\.parts-(\d+)-(\d+)$/
/** The key of an object in parts; of one that is no longer than a part, the key as it is. */
export const partedKey = (key: string, { size, partBytes }: PartsLayout): string =>
  size > partBytes ? `${key}.parts-${size}-${partBytes}` : key

function layoutOf(key: string): PartsLayout | null {
  const [, size, partBytes] = LAYOUT.exec(key) ?? []
  return size === undefined ? null : { size: Number(size), partBytes: Number(partBytes) }
}

/** Where a part lies, from 1 on. */
export const partKey = (key: string, number: number): string => (layoutOf(key) ? `${key}.${number}` : key)

/** Everything that lies in the store of an object. */
function keysOf(key: string): string[] {
  const layout = layoutOf(key)
  if (!layout) return [key]
  return Array.from({ length: Math.ceil(layout.size / layout.partBytes) }, (_, at) => partKey(key, at + 1))
}

/** So many the store deletes in one call. */
const DELETED_AT_ONCE = 1000
/** Deletes objects, also such in parts; of those that are not there nothing is said. */
export async function deleteObjects(files: R2Bucket, keys: readonly string[]): Promise<void> {
  const all = keys.flatMap(keysOf)
  for (let at = 0; at < all.length; at += DELETED_AT_ONCE) await files.delete(all.slice(at, at + DELETED_AT_ONCE))
}

/** A range of an object's bytes, and how many the whole has. */
export interface ObjectBytes {
  size: number
  body: ReadableStream<Uint8Array>
}
export interface ByteRange {
  offset: number
  /** To its end where there is none. */
  length?: number
}
interface PartRange {
  key: string
  range: Required<ByteRange>
}

/** The parts that a range lies in, and what of each. */
function partsOf(key: string, { size, partBytes }: PartsLayout, { offset, length = size }: ByteRange): PartRange[] {
  const end = Math.min(size, offset + length)
  const parts: PartRange[] = []
  for (let at = offset; at < end;) {
    const number = Math.floor(at / partBytes)
    const to = Math.min(end, (number + 1) * partBytes)
    parts.push({ key: partKey(key, number + 1), range: { offset: at - number * partBytes, length: to - at } })
    at = to
  }
  return parts
}

/** Bytes of an object as they lie in the store; null where there is none. @param range not empty */
export async function readParts(files: R2Bucket, key: string, range: ByteRange): Promise<ObjectBytes | null> {
  const layout = layoutOf(key)
  if (!layout) return files.get(key, range.offset === 0 && range.length === undefined ? {} : { range })
  const [first, ...rest] = partsOf(key, layout, range)
  const object = first && (await files.get(first.key, first))
  if (!object) return null
  return { size: layout.size, body: rest.length === 0 ? object.body : joined(files, object, rest) }
}

/** One stream of several: the platform's own, which copies no byte of it through here. */
function joined(files: R2Bucket, first: R2ObjectBody, rest: readonly PartRange[]): ReadableStream<Uint8Array> {
  const { readable, writable } = new IdentityTransformStream()
  const copy = async (): Promise<void> => {
    await first.body.pipeTo(writable, { preventClose: true })
    for (const part of rest) await (await getPart(files, part)).body.pipeTo(writable, { preventClose: true })
    await writable.close()
  }
  // Who reads is told by the stream itself; one that reads no further is nobody to tell.
  copy().catch((cause: unknown) => writable.abort(cause).catch(() => undefined))
  return readable
}

async function getPart(files: R2Bucket, { key, range }: PartRange): Promise<R2ObjectBody> {
  const object = await files.get(key, { range })
  if (!object) throw new Error('an object went while it was read')
  return object
}

/** The same, all at once. */
export async function readPartsBytes(
  files: R2Bucket,
  key: string,
  range: Required<ByteRange>,
): Promise<Uint8Array | null> {
  const layout = layoutOf(key)
  const parts = layout ? partsOf(key, layout, range) : [{ key, range }]
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.range.length, 0))
  let filled = 0
  for (const part of parts) {
    const object = await files.get(part.key, { range: part.range })
    if (!object) return null
    const read = new Uint8Array(await object.arrayBuffer())
    if (parts.length === 1) return read
    bytes.set(read, filled)
    filled += read.length
  }
  return bytes
}

/** Bytes that an object has; null where there is none. */
export async function partsSize(files: R2Bucket, key: string): Promise<number | null> {
  const found = await files.head(partKey(key, 1))
  return found && (layoutOf(key)?.size ?? found.size)
}
