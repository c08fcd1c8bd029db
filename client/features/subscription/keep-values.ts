import type { FreezeList, Freezes, KeepInput } from '../../../src/shared/subscription'

/** What is chosen to stay, list by list; ids. */
export interface KeepChoice {
  sources: string[]
  analysts: string[]
  users: string[]
  insights: string[]
}
export type KeepKind = keyof KeepChoice
export const KEEP_KINDS = ['sources', 'analysts', 'users', 'insights'] as const satisfies readonly KeepKind[]

const staying = (list: FreezeList | null): string[] =>
  (list?.items ?? []).filter(({ stays }) => stays).map(({ id }) => id)

/** What stays as things are. Owners stay beside the limit, so there may be more than it allows. */
export const choiceOf = (freezes: Freezes): KeepChoice => ({
  sources: staying(freezes.sources),
  analysts: staying(freezes.analysts),
  users: staying(freezes.users),
  insights: staying(freezes.insights),
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
  }
}

/** The list a picker shows: of users, analysts that were passed over cannot be chosen. */
export function listOf(kind: KeepKind, freezes: Freezes, choice: KeepChoice): FreezeList | null {
  const list = freezes[kind]
  if (kind !== 'users' || !list || !freezes.analysts) return list
  const analysts = new Set(freezes.analysts.items.map(({ id }) => id))
  return { ...list, items: list.items.filter(({ id }) => !analysts.has(id) || choice.analysts.includes(id)) }
}

/** What does not work, kind by kind: how many are out, of how many, and their names. */
export const pausedOf = (freezes: Freezes): { kind: KeepKind; max: number; count: number; names: string[] }[] =>
  KEEP_KINDS.flatMap((kind) => {
    const list = freezes[kind]
    if (!list) return []
    const names = list.items.filter(({ stays }) => !stays).map(({ name }) => name)
    return [{ kind, max: list.max, count: list.items.length, names }]
  })
