import { notFoundError } from './errors.ts'
import { subForm, optionalText, optionalInteger, type Form } from './form.ts'

interface ListItem {
  id: string
  created: number
}

/**
 * One page of a list, newest first, as the library pages through it.
 * @param records in the order in which they were made
 */
export function paginate<T extends ListItem>(
  records: T[],
  form: Form,
  { url, tell }: { url: string; tell: (record: T) => object },
): object {
  const limit = Math.min(Math.max(optionalInteger(form, 'limit') ?? 10, 1), 100)
  const created = subForm(form, 'created') ?? {}
  const [gte, gt, lte, lt] = [
    optionalInteger(created, 'gte'),
    optionalInteger(created, 'gt'),
    optionalInteger(created, 'lte'),
    optionalInteger(created, 'lt'),
  ]
  const newest = records
    .filter(
      (one) =>
        (gte === undefined || one.created >= gte) &&
        (gt === undefined || one.created > gt) &&
        (lte === undefined || one.created <= lte) &&
        (lt === undefined || one.created < lt),
    )
    .toReversed()
  const after = positionOf(newest, optionalText(form, 'starting_after'), 'starting_after')
  const before = positionOf(newest, optionalText(form, 'ending_before'), 'ending_before')
  const rest = after !== null ? newest.slice(after + 1) : before !== null ? newest.slice(0, before) : newest
  const shown = before !== null ? rest.slice(-limit) : rest.slice(0, limit)
  return { object: 'list', url, has_more: rest.length > shown.length, data: shown.map(tell) }
}

function positionOf(records: ListItem[], id: string | undefined, param: string): number | null {
  if (id === undefined) return null
  const at = records.findIndex((one) => one.id === id)
  if (at === -1) throw notFoundError('object', id, param)
  return at
}

/** A list that is part of another object. */
export const embeddedList = <T extends object>(
  url: string,
  data: T[],
): { object: 'list'; url: string; has_more: false; data: T[] } => ({
  object: 'list',
  url,
  has_more: false,
  data,
})
