/**
 * Eight series colours per theme, in a fixed order. Chosen so that every pair stays apart for normal, red-blind,
 * green-blind and blue-blind eyes, each stands out from the page, and neighbours differ in lightness for print.
 */
export const CHART_PALETTE = {
  light: ['#0b5c75', '#e07b00', '#7556c1', '#5a9e3f', '#a3195b', '#4a9fd8', '#6b4f1d', '#7d8a94'],
  dark: ['#4db3cf', '#ffb454', '#b39df3', '#8fce72', '#f07ba8', '#4a86e8', '#c9a15c', '#9aa7b1'],
} as const satisfies Record<'light' | 'dark', readonly string[]>
