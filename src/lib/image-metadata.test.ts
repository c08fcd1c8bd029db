import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc32 } from './crc32'
import { readImageHeader } from './image-header'
import { stripImageMetadata } from './image-metadata'
import { aJpeg, aLosslessWebp, anExtendedWebp, aPng, aWebp } from '../../test/worker/pictures'
import {
  anAnimatedWebp,
  jpegSegment,
  pngChunk,
  tiffWith,
  webpChunk,
  withJpegSegments,
  withPngChunks,
  withWebpChunks,
} from '../../test/worker/picture-metadata'

const SECRET = 'Anna was here 59.3293N 18.0686E'
const secret = Array.from(SECRET, (char) => char.charCodeAt(0))
const ascii = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0))
const textOf = (bytes: Uint8Array | null): string => Array.from(bytes ?? [], (one) => String.fromCharCode(one)).join('')
const joined = (...parts: (Uint8Array | number[])[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]))

/** A WebP with more in one of its headers than belongs there. */
function withLongHeader(kind: 'VP8X' | 'ANIM', webp: Uint8Array): Uint8Array {
  const at = textOf(webp).indexOf(kind)
  const view = new DataView(webp.buffer, webp.byteOffset)
  const length = view.getUint32(at + 4, true)
  const longer = joined(
    webp.subarray(0, at + 8 + length),
    secret,
    [0].slice(secret.length % 2 === 0 ? 1 : 0),
    webp.subarray(at + 8 + length),
  )
  const to = new DataView(longer.buffer)
  to.setUint32(4, longer.length - 8, true)
  to.setUint32(at + 4, length + secret.length, true)
  return longer
}

const LADEN = {
  PNG: (turn = 1, little = false) =>
    withPngChunks(aPng(), [
      ...['tEXt', 'zTXt', 'iTXt', 'iCCP', 'tIME', 'dSIG', 'prVt'].map((kind) => pngChunk(kind, secret)),
      pngChunk('eXIf', tiffWith(turn, secret, little)),
    ]),
  JPEG: (turn = 1, little = false) =>
    joined(
      withJpegSegments(aJpeg(40, 30, SECRET), [
        jpegSegment(0xe0, [...ascii('JFXX\0'), ...secret]),
        jpegSegment(0xe1, [...ascii('Exif\0\0'), ...tiffWith(turn, secret, little)]),
        jpegSegment(0xe1, [...ascii('http://ns.adobe.com/xap/1.0/\0'), ...secret]),
        ...[0xe2, 0xe3, 0xec, 0xed, 0xef, 0xfe].map((marker) => jpegSegment(marker, secret)),
      ]),
      secret,
    ),
  WebP: (turn = 1, little = false) =>
    withWebpChunks(anExtendedWebp(), 0x2c, [
      webpChunk('ICCP', secret),
      webpChunk('EXIF', tiffWith(turn, secret, little)),
      webpChunk('XMP ', secret),
      webpChunk('abcd', secret),
    ]),
}

describe.each(Object.entries(LADEN))('a %s', (_kind, laden) => {
  it('loses all that was written beside the picture, and stays what it is', () => {
    const before = laden()
    expect(textOf(before)).toContain(SECRET)
    const after = stripImageMetadata(before)
    expect(textOf(after)).not.toContain(SECRET)
    expect(textOf(after)).not.toContain('Exif')
    expect(readImageHeader(after ?? new Uint8Array())).toEqual(readImageHeader(before))
    expect(after && stripImageMetadata(after)).toEqual(after)
  })

  it('keeps how it is turned, and nothing else of EXIF', () => {
    for (const little of [false, true])
      for (let turn = 2; turn <= 8; turn++) {
        const after = stripImageMetadata(laden(turn, little))
        expect(textOf(after)).not.toContain(SECRET)
        // Tag 0x0112, a short, once.
        expect(textOf(after)).toContain(textOf(new Uint8Array([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, turn, 0, 0])))
        expect(after && stripImageMetadata(after)).toEqual(after)
      }
  })

  it('throws for no damage: it is stripped or refused', () => {
    const whole = laden(6)
    const anywhere = fc.integer({ min: 0, max: whole.length - 1 })
    fc.assert(
      fc.property(anywhere, fc.uint8Array({ minLength: 1, maxLength: 12 }), (at, noise) => {
        const damaged = joined(whole.subarray(0, at), noise, whole.subarray(at + noise.length))
        const after = stripImageMetadata(damaged)
        if (after) expect(readImageHeader(after)).not.toBe('unsupported')
      }),
      { seed: 14, numRuns: 400 },
    )
  })
})

it('copies a picture that has nothing beside it byte for byte', () => {
  for (const plain of [aWebp(), aLosslessWebp(), anExtendedWebp()]) expect(stripImageMetadata(plain)).toEqual(plain)
  const png = stripImageMetadata(aPng())
  expect(png && stripImageMetadata(png)).toEqual(png)
})

it('gives the part of a PNG that says how it is turned its checksum, behind the header', () => {
  const after = stripImageMetadata(LADEN.PNG(6)) ?? new Uint8Array()
  expect(textOf(after.subarray(33 + 4, 33 + 8))).toBe('eXIf')
  const view = new DataView(after.buffer)
  expect(view.getUint32(33 + 8 + 26)).toBe(crc32(after.slice(33 + 4, 33 + 8 + 26)))
})

it('keeps every scan of a JPEG with its restarts and escaped bytes, and what tells its colours', () => {
  const scan = [0xff, 0xda, 0, 2, 7, 0xff, 0, 8, 0xff, 0xd3, 9]
  const adobe = [0xff, 0xee, 0, 14, ...ascii('Adobe'), 0, 100, 0, 0, 0, 0, 1]
  const frame = [0xff, 0xc2, 0, 11, 8, 0, 30, 0, 40, 1, 1, 17, 0]
  const table = [0xff, 0xc4, 0, 4, 9, 9]
  const jpeg = new Uint8Array([
    ...[0xff, 0xd8, ...adobe, ...frame, ...table, ...scan, ...jpegSegment(0xfe, secret), ...table, ...scan],
    ...[0xff, 0xff, 0xd9, 1, 2, 3],
  ])
  const kept = [0xff, 0xd8, ...adobe, ...frame, ...table, ...scan, ...table, ...scan, 0xff, 0xd9]
  expect([...(stripImageMetadata(jpeg) ?? [])]).toEqual(kept)
})

it('keeps no part of a PNG that is longer than it can be', () => {
  const numbers = {
    gAMA: 4,
    cHRM: 32,
    sRGB: 1,
    cICP: 4,
    sBIT: 4,
    bKGD: 6,
    pHYs: 9,
    acTL: 8,
    fcTL: 26,
    tRNS: 256,
    PLTE: 768,
  }
  for (const [kind, length] of Object.entries(numbers)) {
    const fits = withPngChunks(aPng(), [
      pngChunk(
        kind,
        Array.from({ length }, () => 1),
      ),
    ])
    expect(textOf(stripImageMetadata(fits)), kind).toContain(kind)
    const tooLong = withPngChunks(aPng(), [pngChunk(kind, [...Array.from({ length }, () => 1), ...secret])])
    expect(textOf(stripImageMetadata(tooLong)), kind).not.toContain(kind)
    expect(textOf(stripImageMetadata(tooLong)), kind).not.toContain(SECRET)
  }
})

it('strips the frames of a WebP that moves', () => {
  const after = stripImageMetadata(anAnimatedWebp(secret))
  expect(textOf(after)).not.toContain(SECRET)
  expect(textOf(after).match(/ANMF/g)).toHaveLength(2)
  expect(readImageHeader(after ?? new Uint8Array())).toEqual({ type: 'image/webp', width: 40, height: 30 })
})

it.each([
  ['a JPEG without an end', aJpeg().subarray(0, -2)],
  ['a JPEG whose part is longer than the file', joined(aJpeg().subarray(0, 2), [0xff, 0xfe, 0xff, 0xff, 1])],
  ['a PNG that is cut off', aPng().subarray(0, 60)],
  ['a WebP that is cut off', aWebp().subarray(0, 20)],
  ['a WebP whose header is longer than it is', withLongHeader('VP8X', anExtendedWebp())],
  ['a WebP whose line of frames is', withLongHeader('ANIM', anAnimatedWebp([1]))],
  ['no picture', new Uint8Array(secret)],
])('refuses %s', (_name, bytes) => {
  expect(stripImageMetadata(bytes)).toBeNull()
})
