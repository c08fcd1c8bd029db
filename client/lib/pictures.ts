import { PICTURE_TYPES } from '../../src/shared/account'
import type { Formatter } from '../../src/shared/figures/formatter'

/** Longest side that any screen shows a picture in, twice over for fine screens. */
const MAX_SIDE_PX = 512

/**
 * The middle of a picture as a square of at most 512 pixels. What cameras write beside it (where and when it was taken)
 * stays behind. Where the browser cannot draw it, the file as it is: the server says what is wrong with it.
 */
export async function cropToSquare(file: Blob): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const from = Math.min(bitmap.width, bitmap.height)
    const side = Math.min(from, MAX_SIDE_PX)
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    const [left, top] = [(bitmap.width - from) / 2, (bitmap.height - from) / 2]
    canvas.getContext('2d')?.drawImage(bitmap, left, top, from, from, 0, 0, side, side)
    bitmap.close()
    return await new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? file), 'image/webp', 0.9))
  } catch {
    return file
  }
}

interface PictureLimits {
  /** "A logo". */
  noun: string
  maxBytes: number
  format: Pick<Formatter, 'bytes'>
}
/** Why this file cannot be a picture, before anything is sent; null when it may be one. */
export function pictureError(file: File, { noun, maxBytes, format }: PictureLimits): string | null {
  if (!PICTURE_TYPES.some((type) => type === file.type)) return `${file.name} isn’t a PNG, JPEG or WebP image.`
  if (file.size <= maxBytes) return null
  return `${file.name} has ${format.bytes(file.size)}. ${noun} may have up to ${format.bytes(maxBytes)}: choose a smaller one.`
}
