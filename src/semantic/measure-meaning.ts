import { canonicalJson } from '../lib/hash'

/** What a measure is called and how it is shown does not change what it measures; a ratio is a division. */
const withoutPresentation = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPresentation)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([key, each]): [string, unknown][] =>
    key === 'label' || key === 'format' ? [] : [[key, withoutPresentation(each)]],
  )
  const { kind, op, left, right, ...rest }: Record<string, unknown> = Object.fromEntries(kept)
  if (kind === 'calc' && op === 'divide') return { kind: 'ratio', over: left, under: right, ...rest }
  return Object.fromEntries(kept)
}

/** The same text for measures, filters and times that answer the same figures, whatever they are called. */
export const measureMeaning = (of: unknown): string => canonicalJson(withoutPresentation(of))
