import type { KeepKind } from './keep-values'

interface KindWords {
  title: string
  one: string
  many: string
  /** What becomes of those that are out. */
  fate: string
}
export const KIND_WORDS: Record<KeepKind, KindWords> = {
  sources: {
    title: 'Data sources',
    one: 'data source',
    many: 'data sources',
    fate: 'Their data stays readable; nothing new is loaded.',
  },
  analysts: {
    title: 'Analysts',
    one: 'analyst',
    many: 'analysts',
    fate: 'They may look and export, as viewers do.',
  },
  users: { title: 'Users', one: 'user', many: 'users', fate: 'They cannot open this workspace. Owners always can.' },
  insights: {
    title: 'Custom insights',
    one: 'custom insight',
    many: 'custom insights',
    fate: 'They stay readable and keep their figures; they cannot be edited.',
  },
}

const NAMED = 5
/** "A, B and 3 more". */
export function namesWords(names: readonly string[]): string {
  const shown = names.slice(0, NAMED)
  const left = names.length - shown.length
  if (left > 0) return `${shown.join(', ')} and ${left} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`
}
