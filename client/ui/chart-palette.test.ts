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
/** OKLab (Ottosson 2020): distances in it follow the eye. */
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
const lab = (colour: Triple): Triple => times(TO_LAB, map(times(TO_CONES, colour), Math.cbrt))
const seen = (eye: Matrix, hex: string): Triple =>
  lab(map(times(eye, rgb(hex)), (value) => Math.min(1, Math.max(0, value))))
const distance = (a: Triple, b: Triple): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
const luminance = (hex: string): number => dot([0.2126, 0.7152, 0.0722], rgb(hex))
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** About three times what is just noticeable side by side. */
const APART = 0.09
const SURFACE = { light: '#ffffff', dark: '#191f26' } as const

describe.each(['light', 'dark'] as const)('chart colours, %s', (theme) => {
  const colours = CHART_PALETTE[theme]
  it.each(Object.entries(EYES))('stay apart for %s eyes', (_name, eye) => {
    const labs = colours.map((hex) => seen(eye, hex))
    for (const [index, one] of labs.entries())
      for (const other of labs.slice(index + 1)) expect(distance(one, other)).toBeGreaterThan(APART)
  })
  it('stand out from the surface', () => {
    for (const hex of colours) expect(contrast(hex, SURFACE[theme])).toBeGreaterThanOrEqual(3)
  })
})
