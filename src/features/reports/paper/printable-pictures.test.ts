import { describe, expect, it } from 'vitest'
import { printablePictures } from './printable-pictures'
import { writePaper } from './write-paper'
import { aJpeg, aWebp } from '../../../../test/worker/pictures'
import { opaquePng } from '../../../formats/pdf/opaque-png'
import type { ReportDocument } from '../../../shared/reports/editions'
import { readFonts } from '../../../formats/pdf/fonts'

const big = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
const chunk = (kind: string, data: Uint8Array | number[]): number[] => [
  ...big(data.length),
  ...Array.from(kind, (sign) => sign.charCodeAt(0)),
  ...data,
  ...[0, 0, 0, 0],
]
/** With an alpha channel, of lines as they are given. */
async function png(
  width: number,
  height: number,
  lines: Uint8Array<ArrayBuffer> = new Uint8Array(height * (width * 4 + 1)),
): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([lines]).stream().pipeThrough(new CompressionStream('deflate'))
  const data = new Uint8Array(await new Response(packed).arrayBuffer())
  return new Uint8Array([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', [...big(width), ...big(height), 8, 6, 0, 0, 0]),
    ...chunk('IDAT', data),
    ...chunk('IEND', []),
  ])
}
/** Of a PNG with a single chunk of data. */
async function linesOf(bytes: Uint8Array | null): Promise<number[]> {
  const data = new Blob([bytes?.slice(41, -16) ?? '']).stream().pipeThrough(new DecompressionStream('deflate'))
  return [...new Uint8Array(await new Response(data).arrayBuffer())]
}
const printable = async (pictures: Record<string, Uint8Array>): Promise<string[]> => [
  ...(await printablePictures(Object.keys(pictures), async (key) => Promise.resolve(pictures[key] ?? null))).keys(),
]

describe('pictures on paper', () => {
  it('are those that can be unpacked to their size, and no more together than a paper holds', async () => {
    expect(
      await printable({
        whole: await png(40, 30),
        bomb: await png(4, 4, new Uint8Array(8_000_000)),
        cut: (await png(40, 30)).map((byte, at) => (at > 45 ? byte ^ 1 : byte)),
        other: aWebp(),
        jpeg: aJpeg(),
        large: await png(2_000, 2_000),
        more: await png(2_000, 2_000),
        last: await png(10, 10),
      }),
    ).toEqual(['whole', 'jpeg', 'large', 'last'])
  })

  it('are laid on white where they are transparent, however their lines are told', async () => {
    const [width, height] = [7, 5]
    const pixel = (x: number, y: number): number[] => [x * 30, y * 40, (x * y * 37) % 256, (x * 90 + y * 13) % 256]
    const row = (y: number): number[] =>
      y < 0 ? Array<number>(width * 4).fill(0) : Array.from({ length: width }, (_, x) => pixel(x, y)).flat()
    const told = (y: number): number[] =>
      row(y).map((value, at) => {
        const [left = 0, up = 0, corner = 0] = [
          at < 4 ? 0 : row(y)[at - 4],
          row(y - 1)[at],
          at < 4 ? 0 : row(y - 1)[at - 4],
        ]
        const near = [left, up, corner].toSorted(
          (a, b) => Math.abs(left + up - corner - a) - Math.abs(left + up - corner - b),
        )
        return value - ([0, left, up, Math.floor((left + up) / 2), near[0] ?? 0][y % 5] ?? 0)
      })
    const lines = Array.from({ length: height }, (_, y) => [y % 5, ...told(y)]).flat()
    const shown = Array.from({ length: height }, (_, y) => [
      0,
      ...Array.from({ length: width }, (__, x) => {
        const [red = 0, green = 0, blue = 0, alpha = 0] = pixel(x, y)
        return [red, green, blue].map((value) => Math.trunc(255 - ((255 - value) * alpha) / 255))
      }).flat(),
    ]).flat()
    expect(await linesOf(await opaquePng(await png(width, height, new Uint8Array(lines))))).toEqual(shown)
  })

  it('are in a paper once, however many blocks show them', async () => {
    const whole = await png(300, 300)
    const pictures = await printablePictures(['key'], async () => Promise.resolve(whole))
    const paperOf = (count: number): Promise<Uint8Array> => {
      const blocks = Array.from({ length: count }, (_, at) => ({
        block: {
          id: `image${at}`,
          kind: 'image',
          picture: 'key',
          alt: '',
          place: { x: 0, y: at, w: 12, h: 1 },
        } as const,
        answer: null,
      }))
      const document: ReportDocument = {
        ...{ v: 1, workspace: 'W', n: 0, period: null, filters: [], dataAsOf: null, note: '', madeBy: 'A' },
        ...{ datasets: [], report: { id: 'rep_1', kind: 'legacy', name: 'R', description: '' } },
        madeAt: '2026-01-05T08:00:00Z',
        notation: { numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'Europe/Stockholm' },
        pages: [{ id: 'page01', name: 'P', blocks }],
      }
      return writePaper(document, { fonts: readFonts(), pictures })
    }
    const imagesIn = (paper: Uint8Array): number =>
      new TextDecoder('latin1').decode(paper).split('/Subtype /Image').length - 1
    expect(imagesIn(await paperOf(1))).toBe(1)
    expect(imagesIn(await paperOf(9))).toBe(1)
  })
})
