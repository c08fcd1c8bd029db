import { mixColours } from './chart-colours'
import type { ChartColours } from './chart-colours'

/** From the least to the most; when figures stand on both sides of zero, two colours meet in a neutral middle. */
export interface HeatMapScale {
  stops: readonly string[]
  low: number
  high: number
}

export function heatMapScale(low: number, high: number, colours: ChartColours): HeatMapScale {
  const [strong = '#000000', contrary = '#000000'] = colours.series
  const faint = (colour: string): string => mixColours(colours.surface, colour, 0.1)
  if (low < 0 && high > 0) {
    const reach = Math.max(-low, high)
    return { stops: [contrary, faint(colours.dimmed), strong], low: -reach, high: reach }
  }
  const stops = high <= 0 && low < 0 ? [contrary, faint(contrary)] : [faint(strong), strong]
  return low === high ? { stops, low: Math.min(0, low), high: Math.max(0, high, low + 1) } : { stops, low, high }
}

/** The colour of a value, mixed evenly between the two stops it lies between. */
export function heatMapColour(value: number, { stops, low, high }: HeatMapScale): string {
  const place = ((value - low) / (high - low || 1)) * (stops.length - 1)
  const at = Math.min(stops.length - 2, Math.max(0, Math.floor(place)))
  return mixColours(stops[at] ?? '#000000', stops[at + 1] ?? '#000000', Math.min(1, Math.max(0, place - at)))
}

const linearChannel = (byte: number): number => {
  const share = byte / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
/** Relative luminance (WCAG 2) of `#rrggbb`. */
export function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linearChannel(parseInt(hex.slice(at, at + 2), 16)))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
export function contrastRatio(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const DARK_TEXT = '#000000'
const LIGHT_TEXT = '#ffffff'
/** The ink that stands out more from a ground; one of the two always reaches 4.5:1. */
export const readableTextColour = (ground: string): string =>
  contrastRatio(ground, LIGHT_TEXT) >= contrastRatio(ground, DARK_TEXT) ? LIGHT_TEXT : DARK_TEXT
