/** Bytes of numbers, little-endian: `[width, value]`; a width of 8 is a double. */
export type Field = readonly [width: 1 | 2 | 4 | 8, value: number]

export function packed(...fields: readonly (Field | Uint8Array)[]): Uint8Array {
  const length = fields.reduce((sum, field) => sum + (field instanceof Uint8Array ? field.length : field[0]), 0)
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const field of fields) {
    if (field instanceof Uint8Array) {
      bytes.set(field, at)
      at += field.length
      continue
    }
    const [width, value] = field
    if (width === 8) view.setFloat64(at, value, true)
    else if (width === 4) view.setUint32(at, value >>> 0, true)
    else if (width === 2) view.setUint16(at, value, true)
    else view.setUint8(at, value)
    at += width
  }
  return bytes
}

export const utf16 = (text: string): Uint8Array =>
  packed(...Array.from({ length: text.length }, (_, n): Field => [2, text.charCodeAt(n)]))
export const byteText = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0))
