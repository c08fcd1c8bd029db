import type { FreezeList, Freezes, KeepInput } from '../../src/shared/subscription'

/** What is chosen to stay, list by list; ids. */
export interface KeepChoice {
  sources: string[]
  analysts: string[]
  users: string[]
  insights: string[]
  groupings: string[]
  forecasts: string[]
}
export type KeepKind = keyof KeepChoice
export const KEEP_KINDS = [
  'sources',
  'analysts',
  'users',
  'insights',
  'groupings',
  'forecasts',
] as const satisfies readonly KeepKind[]

const staying = (list: FreezeList | null): string[] =>
  (list?.items ?? []).filter(({ stays }) => stays).map(({ id }) => id)

/** What stays as things are. Owners stay beside the limit, so there may be more than it allows. */
export const stayingOf = (freezes: Freezes): KeepChoice => ({
  sources: staying(freezes.sources),
  analysts: staying(freezes.analysts),
  users: staying(freezes.users),
  insights: staying(freezes.insights),
  groupings: staying(freezes.groupings),
  forecasts: staying(freezes.forecasts),
})

/**
 * The choice as the server takes it: one list of people for both of their limits, so analysts who are not chosen as
 * such are not chosen as users either.
 */
export function keepInputOf(choice: KeepChoice, freezes: Freezes): KeepInput {
  const passedOver = new Set((freezes.analysts?.items ?? []).map(({ id }) => id))
  choice.analysts.forEach((id) => passedOver.delete(id))
  const users = freezes.users ? choice.users.filter((id) => !passedOver.has(id)) : []
  return {
    sources: freezes.sources ? choice.sources : [],
    members: [...new Set([...(freezes.analysts ? choice.analysts : []), ...users])],
    insights: freezes.insights ? choice.insights : [],
    groupings: freezes.groupings ? choice.groupings : [],
    forecasts: freezes.forecasts ? choice.forecasts : [],
  }
}

/** The list a picker shows: of users, analysts that were passed over cannot be chosen. */
export function pickedList(kind: KeepKind, freezes: Freezes, choice: KeepChoice): FreezeList | null {
  const list = freezes[kind]
  if (kind !== 'users' || !list || !freezes.analysts) return list
  const analysts = new Set(freezes.analysts.items.map(({ id }) => id))
  return { ...list, items: list.items.filter(({ id }) => !analysts.has(id) || choice.analysts.includes(id)) }
}

/** What does not work, kind by kind: how many are out, of how many, and their names. */
export const frozenOf = (freezes: Freezes): { kind: KeepKind; max: number; count: number; names: string[] }[] =>
  KEEP_KINDS.flatMap((kind) => {
    const list = freezes[kind]
    if (!list) return []
    const names = list.items.filter(({ stays }) => !stays).map(({ name }) => name)
    return [{ kind, max: list.max, count: list.items.length, names }]
  })

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
  groupings: {
    title: 'Groupings',
    one: 'grouping',
    many: 'groupings',
    fate: 'Figures go on to be seen through them; they cannot be edited, and new values are not looked for.',
  },
  forecasts: {
    title: 'Forecasts',
    one: 'forecast',
    many: 'forecasts',
    fate: 'They go on to show what they last found; they are not computed anew, and cannot be edited.',
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

/** "Room for 3. The others: …" */
export const roomWords = (kind: KeepKind, max: number): string => {
  const { fate } = KIND_WORDS[kind]
  return `There is room for ${max}. The others: ${fate.charAt(0).toLowerCase()}${fate.slice(1)}`
}
