import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImageHeader } from './image-header'
import { aJpeg, aLosslessWebp, anExtendedWebp, aPng, aWebp } from '../../test/worker/pictures'

const MAKERS = [
  { name: 'PNG', type: 'image/png', make: aPng },
  { name: 'JPEG', type: 'image/jpeg', make: aJpeg },
  { name: 'WebP', type: 'image/webp', make: aWebp },
  { name: 'lossless WebP', type: 'image/webp', make: aLosslessWebp },
  { name: 'extended WebP', type: 'image/webp', make: anExtendedWebp },
]
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(parts.flatMap((part) => [...part]))

describe.each(MAKERS)('a $name', ({ type, make }) => {
  it('is known by its bytes, with the size they say', () => {
    const side = fc.integer({ min: 1, max: 16_383 })
    fc.assert(
      fc.property(side, side, (width, height) => {
        expect(readImageHeader(make(width, height))).toEqual({ type, width, height })
      }),
    )
  })

  it('is broken when it is cut off anywhere after its signature', () => {
    const whole = make()
    fc.assert(
      fc.property(fc.integer({ min: 12, max: whole.length - 1 }), (length) => {
        const cut = readImageHeader(whole.subarray(0, length))
        // What follows a JPEG's scan is the picture itself, whose size is known by then.
        if (type === 'image/jpeg' && cut !== 'broken') expect(length).toBeGreaterThan(whole.length - 9)
        else expect(cut).toBe('broken')
      }),
    )
  })

  it('throws for no bytes that follow its signature', () => {
    const whole = make()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 12, max: whole.length }), (noise, at) => {
        const header = readImageHeader(joined(whole.subarray(0, at), noise))
        if (typeof header !== 'string') expect(Math.min(header.width, header.height)).toBeGreaterThan(0)
      }),
    )
  })
})

it.each([
  ['SVG', encode('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['HTML', encode('<!doctype html><script>alert(1)</script>')],
  ['GIF', joined(encode('GIF89a'), new Uint8Array(40))],
  ['BMP', joined(encode('BM'), new Uint8Array(40))],
  ['ZIP', joined(encode('PK\u0003\u0004'), new Uint8Array(40))],
  ['HTML before a PNG', joined(encode('<script>'), aPng())],
  ['sound in the frame of a WebP', joined(encode('RIFF'), new Uint8Array(4), encode('WAVE'), new Uint8Array(40))],
  ['nothing', new Uint8Array()],
])('%s is no picture', (_name, bytes) => {
  expect(readImageHeader(bytes)).toBe('unsupported')
})

it('is broken when something else stands behind a PNG or a WebP (XSS-2)', () => {
  const behind = encode('<script>alert(1)</script>')
  expect(readImageHeader(joined(aPng(), behind))).toBe('broken')
  expect(readImageHeader(joined(aWebp(), behind))).toBe('broken')
})

it('is broken with a side of nothing, or without anything drawn', () => {
  expect(readImageHeader(aPng(0, 9))).toBe('broken')
  expect(readImageHeader(aJpeg(9, 0))).toBe('broken')
  expect(readImageHeader(aWebp(0, 9))).toBe('broken')
  expect(readImageHeader(new Uint8Array([...aWebp().subarray(0, 4), 4, 0, 0, 0, ...encode('WEBP')]))).toBe('broken')
})
