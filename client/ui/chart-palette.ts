/**
 * Eight series colours per theme, in a fixed order. Found by search so that every pair stays apart for normal,
 * red-blind, green-blind and blue-blind eyes and each reaches 3:1 against the surface; a test holds both.
 */
export const CHART_PALETTE = {
  light: ['#0b5c75', '#a15707', '#775acd', '#939901', '#ca658b', '#5396d8', '#6a3c2c', '#54063f'],
  dark: ['#4db3cf', '#edaf6e', '#8c79fc', '#befda3', '#a34e61', '#316bb5', '#aa8a63', '#f1cdf3'],
} as const satisfies Record<'light' | 'dark', readonly string[]>
