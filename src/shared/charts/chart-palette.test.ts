import { describe, expect, it } from 'vitest'
import { CHART_PALETTE } from './chart-palette'

type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

const linear = (byte: number): number => {
  const share = byte / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
const rgb = (hex: string): Triple => [
  linear(parseInt(hex.slice(1, 3), 16)),
  linear(parseInt(hex.slice(3, 5), 16)),
  linear(parseInt(hex.slice(5, 7), 16)),
]
const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const times = (matrix: Matrix, colour: Triple): Triple => [
  dot(matrix[0], colour),
  dot(matrix[1], colour),
  dot(matrix[2], colour),
]
const map = ([a, b, c]: Triple, change: (value: number) => number): Triple => [change(a), change(b), change(c)]

/** Linear RGB as each kind of eye sees it (Machado, Oliveira and Fernandes 2009, severity 1). */
const EYES: Record<string, Matrix> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'red-blind': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'green-blind': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'blue-blind': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}
/** CIE XYZ of linear sRGB, D65. */
const TO_XYZ: Matrix = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
]
const WHITE: Triple = [0.95047, 1, 1.08883]
const cubeRoot = (share: number): number => (share > 216 / 24389 ? Math.cbrt(share) : ((24389 / 27) * share + 16) / 116)
/** CIELAB. */
function lab(colour: Triple): Triple {
  const [x, y, z] = times(TO_XYZ, colour)
  const [a, b, c] = [cubeRoot(x / WHITE[0]), cubeRoot(y / WHITE[1]), cubeRoot(z / WHITE[2])]
  return [116 * b - 16, 500 * (a - b), 200 * (b - c)]
}
const seen = (eye: Matrix, hex: string): Triple =>
  lab(map(times(eye, rgb(hex)), (value) => Math.min(1, Math.max(0, value))))

const DEGREE = Math.PI / 180
const hueOf = (a: number, b: number): number => (Math.atan2(b, a) / DEGREE + 360) % 360
const turn = (from: number, to: number): number => ((to - from + 540) % 360) - 180

/** CIEDE2000 (Sharma, Wu and Dalal 2005): about 1 is just noticeable side by side. */
function distance([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const grow = 1.5 - 0.5 * Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7))
  const [c1, c2] = [Math.hypot(a1 * grow, b1), Math.hypot(a2 * grow, b2)]
  const [h1, h2] = [hueOf(a1 * grow, b1), hueOf(a2 * grow, b2)]
  const hue = c1 * c2 === 0 ? 0 : turn(h1, h2)
  const [l, c, h] = [(l1 + l2) / 2, (c1 + c2) / 2, h1 + hue / 2]
  const cosine = (factor: number, minus: number): number => Math.cos((factor * h - minus) * DEGREE)
  const t = 1 - 0.17 * cosine(1, 30) + 0.24 * cosine(2, 0) + 0.32 * cosine(3, -6) - 0.2 * cosine(4, 63)
  const lightness = (l2 - l1) / (1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2))
  const chroma = (c2 - c1) / (1 + 0.045 * c)
  const tone = (2 * Math.sqrt(c1 * c2) * Math.sin((hue / 2) * DEGREE)) / (1 + 0.015 * c * t)
  const wave = Math.exp(-((((((h % 360) + 360) % 360) - 275) / 25) ** 2))
  const bend = -2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) * Math.sin(60 * DEGREE * wave)
  return Math.sqrt(lightness ** 2 + chroma ** 2 + tone ** 2 + bend * chroma * tone)
}
const luminance = (hex: string): number => dot([0.2126, 0.7152, 0.0722], rgb(hex))
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** Ten times what is just noticeable side by side. */
const APART = 10
const SURFACE = { light: '#ffffff', dark: '#191f26' } as const
const REST = { light: '#98a3ad', dark: '#7c8791' } as const

it('measures distances as published', () => {
  expect(distance([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 3)
  expect(distance([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514])).toBeCloseTo(0.9082, 3)
  expect(distance([22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619])).toBeCloseTo(2.0373, 3)
})

describe.each(['light', 'dark'] as const)('chart colours, %s', (theme) => {
  const colours = CHART_PALETTE[theme]
  it('are twelve', () => {
    expect(colours).toHaveLength(12)
  })
  it.each(Object.entries(EYES))(
    'stay apart for %s eyes, from each other and from the grey of the rest',
    (_name, eye) => {
      const labs = [...colours, REST[theme]].map((hex) => seen(eye, hex))
      for (const [index, one] of labs.entries())
        for (const other of labs.slice(index + 1)) expect(distance(one, other)).toBeGreaterThan(APART)
    },
  )
  it('stand out from the surface', () => {
    for (const hex of colours) expect(contrast(hex, SURFACE[theme])).toBeGreaterThanOrEqual(3)
  })
  it('that follow each other differ in hue and in lightness', () => {
    const labs = colours.map((hex) => lab(rgb(hex)))
    for (const [at, [light, a, b]] of labs.entries()) {
      const [nextLight, nextA, nextB] = labs[(at + 1) % labs.length] ?? [0, 0, 0]
      expect(Math.abs(light - nextLight)).toBeGreaterThan(12)
      expect(Math.abs(turn(hueOf(a, b), hueOf(nextA, nextB)))).toBeGreaterThan(30)
    }
  })
})
