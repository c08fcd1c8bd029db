/**
 * What an open page is told as it happens. It says only that something changed, never what: a page asks again, with its
 * own rights, for just what depends on it.
 */
export type LiveEvent =
  { kind: 'data'; datasetId: string; dataVersion: number } | { kind: 'changed'; noun: LiveNoun; id: string | null }
export const LIVE_NOUNS = [
  'insight',
  'finding',
  'metric',
  'grouping',
  'target',
  'alert',
  'note',
  'rates',
  'source',
] as const
export type LiveNoun = (typeof LIVE_NOUNS)[number]
