import type { Cell } from '../../../src/shared/query/result'
import { CHART_PALETTE } from '../../../src/shared/charts/chart-palette'
import type { Series } from '../../../src/shared/charts/chart-model'

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
  series: CHART_PALETTE.light,
  other: '#98a3ad',
  text: '#172029',
  dimmed: '#55626d',
  grid: '#e5eaed',
  surface: '#ffffff',
  border: '#d7dee3',
  font: "'Inter Variable', sans-serif",
}
const DARK: ChartColours = {
  series: CHART_PALETTE.dark,
  other: '#7c8791',
  text: '#d9dfe4',
  dimmed: '#98a3ad',
  grid: '#2b343d',
  surface: '#191f26',
  border: '#3c4650',
  font: "'Inter Variable', sans-serif",
}

/** The colours of paper: for pictures that leave the page, whatever the screen wears. */
export const lightColours = (font: string): ChartColours => ({ ...LIGHT, font })

/** Reads `--chart-1` … `--chart-8` and their companions; what the theme does not name keeps a fallback. */
export function chartColours(read: (name: string) => string, dark: boolean): ChartColours {
  const base = dark ? DARK : LIGHT
  const of = (name: string, fallback: string): string => read(name).trim() || fallback
  return {
    series: base.series.map((fallback, index) => of(`--chart-${index + 1}`, fallback)),
    other: of('--chart-other', base.other),
    text: of('--chart-text', base.text),
    dimmed: of('--chart-dimmed', base.dimmed),
    grid: of('--chart-grid', base.grid),
    surface: of('--chart-surface', base.surface),
    border: of('--chart-border', base.border),
    font: of('--mantine-font-family', base.font),
  }
}

/** FNV-1a: small, stable between sessions, no secret in it. */
function fnv1aHash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/**
 * One colour per dimension value, the same on every chart: a value's hash names its slot. Of several values that want one
 * slot the first in alphabetical order has it, and no value that is at home is ever moved; the others look for a free
 * slot in an order of their own. So a value keeps its colour when others are filtered away, unless it was moved.
 * With more values than slots the rest go on to `slots`, `slots` + 1 …: tints of their own slot.
 */
export function assignColourSlots(values: readonly Cell[], slots: number): Map<string, number> {
  const texts = [...new Set(values.map((value) => String(value ?? '')))].sort()
  const chosen = new Map<string, number>()
  const taken = new Set<number>()
  const give = (text: string, slot: number): void => {
    taken.add(slot)
    chosen.set(text, slot)
  }
  for (const text of texts) {
    const home = fnv1aHash(text) % slots
    if (!taken.has(home)) give(text, home)
  }
  for (const text of texts.filter((one) => !chosen.has(one))) give(text, freeSlot(text, { slots, taken }))
  return chosen
}

function freeSlot(text: string, { slots, taken }: { slots: number; taken: Set<number> }): number {
  const home = fnv1aHash(text)
  if (taken.size >= slots) return slots * (1 + ((home >>> 8) % TINTS_PER_SLOT)) + (home % slots)
  let slot = fnv1aHash(`${text}+`) % slots
  while (taken.has(slot)) slot = (slot + 1) % slots
  return slot
}
const TINTS_PER_SLOT = 2
/** How much is mixed into a tint: enough to tell it from its slot, not so much that it fades into the ground. */
const TINT_SHARE = 0.35

const hexToBytes = (hex: string): number[] => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))

/** `share` of `to` mixed into `from`; both `#rrggbb`. What is no such colour stays as it is. */
export function mixColours(from: string, to: string, share: number): string {
  if (!/^#[0-9a-f]{6}$/i.test(from) || !/^#[0-9a-f]{6}$/i.test(to)) return from
  const [a, b] = [hexToBytes(from), hexToBytes(to)]
  const parts = a.map((byte, at) => Math.round(byte + ((b[at] ?? byte) - byte) * share))
  return `#${parts.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function slotColour(slot: number, colours: ChartColours): string {
  const count = colours.series.length
  const base = colours.series[slot % count] ?? colours.other
  const round = Math.floor(slot / count)
  return round === 0 ? base : mixColours(base, round === 1 ? colours.surface : colours.text, TINT_SHARE)
}

/** The colour of each value of a dimension; the group of the rest is grey. */
export function valueColours(groups: readonly { value: Cell; other: boolean }[], colours: ChartColours): string[] {
  const named = groups.filter((group) => !group.other).map((group) => group.value)
  const slots = assignColourSlots(named, colours.series.length)
  return groups.map(({ value, other }) =>
    other ? colours.other : slotColour(slots.get(String(value ?? '')) ?? 0, colours),
  )
}

/** The colour of each series: by dimension value, or by the order of the measures with their comparison alongside. */
export function seriesColours(series: readonly Series[], colours: ChartColours): string[] {
  const split = series.map((one) => ({ value: one.dimension ?? null, other: one.other }))
  const byValue = valueColours(
    split.filter((_, at) => series[at]?.dimension !== undefined),
    colours,
  )
  const measures = new Map<string, number>()
  let next = 0
  return series.map((one) => {
    if (one.dimension !== undefined) return byValue[next++] ?? colours.other
    if (one.role === 'target') return colours.text
    if (one.other) return colours.other
    const base = one.column.key.split('.')[0] ?? one.column.key
    if (!measures.has(base)) measures.set(base, measures.size)
    return slotColour(measures.get(base) ?? 0, colours)
  })
}
