import { missing } from './faults.ts'
import { part, text, whole } from './form.ts'
import type { Form } from './form.ts'

interface Listed {
  id: string
  created: number
}

/**
 * One page of a list, newest first, as the library pages through it.
 * @param records in the order in which they were made
 */
export function page<T extends Listed>(
  records: T[],
  form: Form,
  { url, tell }: { url: string; tell: (record: T) => object },
): object {
  const limit = Math.min(Math.max(whole(form, 'limit') ?? 10, 1), 100)
  const created = part(form, 'created') ?? {}
  const [gte, gt, lte, lt] = [whole(created, 'gte'), whole(created, 'gt'), whole(created, 'lte'), whole(created, 'lt')]
  const newest = records
    .filter(
      (one) =>
        (gte === undefined || one.created >= gte) &&
        (gt === undefined || one.created > gt) &&
        (lte === undefined || one.created <= lte) &&
        (lt === undefined || one.created < lt),
    )
    .toReversed()
  const after = positionOf(newest, text(form, 'starting_after'), 'starting_after')
  const before = positionOf(newest, text(form, 'ending_before'), 'ending_before')
  const rest = after !== null ? newest.slice(after + 1) : before !== null ? newest.slice(0, before) : newest
  const shown = before !== null ? rest.slice(-limit) : rest.slice(0, limit)
  return { object: 'list', url, has_more: rest.length > shown.length, data: shown.map(tell) }
}

function positionOf(records: Listed[], id: string | undefined, param: string): number | null {
  if (id === undefined) return null
  const at = records.findIndex((one) => one.id === id)
  if (at === -1) throw missing('object', id, param)
  return at
}

/** A list that is part of another object. */
export const inner = <T extends object>(
  url: string,
  data: T[],
): { object: 'list'; url: string; has_more: false; data: T[] } => ({
  object: 'list',
  url,
  has_more: false,
  data,
})
