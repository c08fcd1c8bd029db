import type { OverLimitList, OverLimitSummary, RetainInput } from '../../../src/shared/billing/subscription'
import { capitalize, lowerFirst } from '../../../src/shared/text'

export const RETAINED_KINDS = ['sources', 'analysts', 'users', 'insights', 'groupings', 'forecasts'] as const
export type RetainedKind = (typeof RETAINED_KINDS)[number]
/** What is chosen to stay, list by list; ids. */
export type RetainedChoice = Record<RetainedKind, string[]>

const retainedIds = (list: OverLimitList | null): string[] =>
  (list?.items ?? []).filter(({ stays }) => stays).map(({ id }) => id)

/** What stays as things are. Owners stay beside the limit, so there may be more than it allows. */
export const currentlyRetained = (summary: OverLimitSummary): RetainedChoice => ({
  sources: retainedIds(summary.sources),
  analysts: retainedIds(summary.analysts),
  users: retainedIds(summary.users),
  insights: retainedIds(summary.insights),
  groupings: retainedIds(summary.groupings),
  forecasts: retainedIds(summary.forecasts),
})

/**
 * The choice as the server takes it: one list of people for both of their limits, so analysts who are not chosen as
 * such are not chosen as users either.
 */
export function toRetainInput(choice: RetainedChoice, summary: OverLimitSummary): RetainInput {
  const passedOver = new Set((summary.analysts?.items ?? []).map(({ id }) => id))
  choice.analysts.forEach((id) => passedOver.delete(id))
  const users = summary.users ? choice.users.filter((id) => !passedOver.has(id)) : []
  return {
    sources: summary.sources ? choice.sources : [],
    members: [...new Set([...(summary.analysts ? choice.analysts : []), ...users])],
    insights: summary.insights ? choice.insights : [],
    groupings: summary.groupings ? choice.groupings : [],
    forecasts: summary.forecasts ? choice.forecasts : [],
  }
}

/** The list a picker shows: of users, analysts that were passed over cannot be chosen. */
export function selectableList(
  kind: RetainedKind,
  summary: OverLimitSummary,
  choice: RetainedChoice,
): OverLimitList | null {
  const list = summary[kind]
  if (kind !== 'users' || !list || !summary.analysts) return list
  const analysts = new Set(summary.analysts.items.map(({ id }) => id))
  return { ...list, items: list.items.filter(({ id }) => !analysts.has(id) || choice.analysts.includes(id)) }
}

/** What does not work, kind by kind: how many are out, of how many, and their names. */
export const overLimitByKind = (
  summary: OverLimitSummary,
): { kind: RetainedKind; max: number; count: number; names: string[] }[] =>
  RETAINED_KINDS.flatMap((kind) => {
    const list = summary[kind]
    if (!list) return []
    const names = list.items.filter(({ stays }) => !stays).map(({ name }) => name)
    return [{ kind, max: list.max, count: list.items.length, names }]
  })

interface RetainedKindLabels {
  one: string
  many: string
  /** What becomes of those that are out. */
  fate: string
}
export const RETAINED_KIND_LABELS: Record<RetainedKind, RetainedKindLabels> = {
  sources: {
    one: 'data source',
    many: 'data sources',
    fate: 'Read-only, without new imports.',
  },
  analysts: {
    one: 'analyst',
    many: 'analysts',
    fate: 'Become viewers: can view and export.',
  },
  users: { one: 'user', many: 'users', fate: 'Locked out of this workspace. Owners always stay.' },
  insights: {
    one: 'custom insight',
    many: 'custom insights',
    fate: 'Read-only.',
  },
  groupings: {
    one: 'grouping',
    many: 'groupings',
    fate: 'Still applied, but read-only.',
  },
  forecasts: {
    one: 'forecast',
    many: 'forecasts',
    fate: 'Show their last run; no new runs, read-only.',
  },
}

/** "Data sources". */
export const retainedKindTitle = (kind: RetainedKind): string => capitalize(RETAINED_KIND_LABELS[kind].many)

const NAMES_SHOWN = 5
/** "A, B and 3 more". */
export function formatNameList(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN)
  const left = names.length - shown.length
  if (left > 0) return `${shown.join(', ')} and ${left} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}`
}

/** "Choose 3. The others: …" */
export const describeKindLimit = (kind: RetainedKind, max: number): string => {
  const { fate } = RETAINED_KIND_LABELS[kind]
  return `Choose ${max}. The others: ${lowerFirst(fate)}`
}
