import type { Cell } from '../../../src/shared/query'
import type { Series } from './chart-model'

/** Colours of a chart, read from the theme's CSS variables so that light, dark and print follow the page. */
export interface ChartColours {
  series: readonly string[]
  other: string
  text: string
  dimmed: string
  grid: string
  surface: string
  border: string
  /** The page's font family: a canvas inherits nothing. */
  font: string
}

const LIGHT: ChartColours = {
  series: ['#0b6e7f', '#d9730d', '#5b57b8', '#b8336a', '#3c8a3f', '#1f77c9', '#8a6d1c', '#6b7280'],
  other: '#9aa3ad',
  text: '#1f2933',
  dimmed: '#5c6773',
  grid: '#e6e9ed',
  surface: '#ffffff',
  border: '#d5dae0',
  font: 'sans-serif',
}
const DARK: ChartColours = {
  series: ['#4cb8c8', '#f0a35e', '#a5a1f0', '#ee86b0', '#7cc67f', '#7db7f0', '#d4b95e', '#a9b1bb'],
  other: '#6f7984',
  text: '#e7eaee',
  dimmed: '#a3acb6',
  grid: '#2d333b',
  surface: '#1d2127',
  border: '#3a424c',
  font: 'sans-serif',
}

/** Reads `--chart-1` … `--chart-8` and their companions; what the theme does not name keeps a fallback. */
export function chartColours(read: (name: string) => string, dark: boolean): ChartColours {
  const base = dark ? DARK : LIGHT
  const of = (name: string, fallback: string): string => read(name).trim() || fallback
  return {
    series: base.series.map((fallback, index) => of(`--chart-${index + 1}`, fallback)),
    other: of('--chart-other', base.other),
    text: of('--mantine-color-text', base.text),
    dimmed: of('--chart-axis', base.dimmed),
    grid: of('--chart-grid', base.grid),
    surface: of('--surface', base.surface),
    border: of('--line-strong', base.border),
    font: of('--mantine-font-family', base.font),
  }
}

/** FNV-1a: small, stable between sessions, no secret in it. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/**
 * One colour per dimension value, the same on every chart: a value's hash names its slot; when two values of one
 * chart want the same slot, the later in alphabetical order moves on.
 */
export function slotsOf(values: readonly Cell[], slots: number): Map<string, number> {
  const taken = new Set<number>()
  const chosen = new Map<string, number>()
  for (const text of [...new Set(values.map((value) => String(value ?? '')))].sort()) {
    let slot = hash(text) % slots
    for (let tries = 0; taken.has(slot) && tries < slots; tries++) slot = (slot + 1) % slots
    taken.add(slot)
    chosen.set(text, slot)
  }
  return chosen
}

/** The colour of each series: by dimension value, or by the order of the measures with their comparison alongside. */
export function coloursOf(series: readonly Series[], colours: ChartColours): string[] {
  const split = series.filter((one) => one.dimension !== undefined && !one.other)
  const slots = slotsOf(
    split.map((one) => one.dimension ?? null),
    colours.series.length,
  )
  const measures = new Map<string, number>()
  return series.map((one) => {
    if (one.other) return colours.other
    const base = one.column.key.split('.')[0] ?? one.column.key
    if (one.dimension === undefined && !measures.has(base)) measures.set(base, measures.size)
    const slot = one.dimension === undefined ? (measures.get(base) ?? 0) : (slots.get(String(one.dimension ?? '')) ?? 0)
    return colours.series[slot % colours.series.length] ?? colours.other
  })
}
