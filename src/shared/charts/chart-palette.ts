/**
 * Twelve series colours per theme, in a fixed order in which neighbours differ in hue and in lightness. Found by search
 * so that every pair, and each beside the grey of the rest, stays apart (CIEDE2000) for normal, red-blind, green-blind
 * and blue-blind eyes and each reaches 3:1 against the surface; a test holds all of it.
 */
export const CHART_PALETTE = {
  light: [
    ...['#0b5c75', '#e76780', '#0c3900', '#836709', '#5594f6', '#48263a'],
    ...['#6560be', '#a69529', '#1f2579', '#288c64', '#8a313c', '#857da1'],
  ],
  dark: [
    ...['#4db3cf', '#f1cf66', '#6882e4', '#b4c597', '#9e499b', '#b5867a'],
    ...['#3a736c', '#97a138', '#9df3d8', '#666f4a', '#ebdaff', '#817600'],
  ],
} as const satisfies Record<'light' | 'dark', readonly string[]>
