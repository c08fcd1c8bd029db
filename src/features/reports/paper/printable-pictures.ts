import { opaquePng } from '../../../formats/pdf/opaque-png'
import { readImageHeader, type ImageHeader } from '../../../lib/image-header'

/** What pictures of one paper take together at most: all of them are held in memory until it is written. */
const BYTES_MAX = 12 * 1024 * 1024
/** PNGs are unpacked. */
const PNG_PIXELS_MAX = 6_000_000

/**
 * Those of the pictures that a paper can show, in their order; what is broken, of another kind or too much is left out.
 * @param read the bytes of a picture by its key, or null
 */
export async function printablePictures(
  keys: Iterable<string>,
  read: (key: string) => Promise<Uint8Array | null>,
): Promise<Map<string, Uint8Array>> {
  const pictures = new Map<string, Uint8Array>()
  let [bytesLeft, pixelsLeft] = [BYTES_MAX, PNG_PIXELS_MAX]
  // One after the other: together they may be more than there is memory for.
  for (const key of keys) {
    const bytes = await read(key)
    const header = bytes && headerOf(bytes)
    if (!header || bytes.length > bytesLeft) continue
    const pixels = header.type === 'image/png' ? header.width * header.height : 0
    if (pixels > pixelsLeft) continue
    const printable = header.type === 'image/png' ? await opaquePng(bytes) : bytes
    if (!printable) continue
    pictures.set(key, printable)
    bytesLeft -= bytes.length
    pixelsLeft -= pixels
  }
  return pictures
}

function headerOf(bytes: Uint8Array): ImageHeader | null {
  const header = readImageHeader(bytes)
  return typeof header === 'string' || header.type === 'image/webp' ? null : header
}
