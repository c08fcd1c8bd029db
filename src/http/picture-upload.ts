import { readBodyBytes } from './validate'
import { pictureStore } from '../db/picture-store'
import type { Deps } from '../deps'
import { readImageHeader, type ImageHeader } from '../lib/image-header'
import { stripImageMetadata } from '../lib/image-metadata'
import { ProductError } from '../shared/errors'
import { PICTURE_MAX_SIDE } from '../shared/pictures'

/** A picture nobody took over this long after it was stored goes again. */
const UNREFERENCED_TTL_MS = 60 * 60 * 1000
const DELETE_BATCH_MAX = 100

const objectKeyOf = (key: string): string => `pictures/${key}`

type PictureType = ImageHeader['type']
type PictureDeps = Pick<Deps, 'db' | 'files' | 'clock' | 'ids'>

/**
 * Takes the picture in a request's body and stores it, without its metadata, under a random key. What comes next is the caller's: an UPDATE
 * that writes the key into a row (`users.avatar_key`, `workspaces.logo_key`), then {@link deleteUnreferencedPictures}. Triggers on
 * these columns note the picture that the row had before; a picture that no row takes over goes by itself.
 * @returns its key
 * @throws ProductError `too_large` (bytes or pixels), `file_unreadable` (empty, unsupported, broken)
 */
export async function storePicture(
  deps: PictureDeps,
  request: Request,
  maxBytes: number,
  types: readonly PictureType[] = ['image/png', 'image/jpeg', 'image/webp'],
): Promise<string> {
  const sent = await readBodyBytes(request, { maxBytes, what: 'file' })
  const type = contentTypeOf(sent, types)
  const bytes = stripImageMetadata(sent)
  if (!bytes) throw damagedError()
  const key = deps.ids.token(20)
  await pictureStore(deps.db).add(key, deps.clock.now() + UNREFERENCED_TTL_MS)
  await deps.files.put(objectKeyOf(key), bytes, { httpMetadata: { contentType: type } })
  return key
}

function contentTypeOf(bytes: Uint8Array, types: readonly PictureType[]): PictureType {
  if (bytes.length === 0) throw new ProductError('file_unreadable', { reason: 'empty' }, 'This image is empty.')
  const header = readImageHeader(bytes)
  if (header === 'broken') throw damagedError()
  if (header === 'unsupported' || !types.includes(header.type)) {
    const names = types.includes('image/webp') ? 'PNG, JPEG or WebP' : 'PNG or JPEG'
    throw new ProductError('file_unreadable', { reason: 'unsupported' }, `Choose a ${names} image.`)
  }
  const side = Math.max(header.width, header.height)
  if (side > PICTURE_MAX_SIDE)
    throw new ProductError(
      'too_large',
      { what: 'file', max: PICTURE_MAX_SIDE, size: side },
      `This image is ${side} pixels long. Choose one with at most ${PICTURE_MAX_SIDE} pixels a side.`,
    )
  return header.type
}

const damagedError = (): ProductError =>
  new ProductError('file_unreadable', { reason: 'broken' }, 'This image is damaged. Save it again or choose another.')

/** The stored picture of a key, or null. */
export const readPicture = (deps: Pick<Deps, 'files'>, key: string): Promise<R2ObjectBody | null> =>
  deps.files.get(objectKeyOf(key))

/** Removes pictures that rows have let go of, and those that none took over in time. */
export async function deleteUnreferencedPictures({
  db,
  files,
  clock,
}: Pick<Deps, 'db' | 'files' | 'clock'>): Promise<void> {
  const store = pictureStore(db)
  const keys = await store.dueKeys(clock.now(), DELETE_BATCH_MAX)
  if (keys.length === 0) return
  // The objects first: a row without an object is tried again, an object without a row would stay for ever.
  await files.delete(keys.map(objectKeyOf))
  await store.remove(keys)
}
