import { ProductError } from '../../shared/errors'
import { isId } from '../../shared/ids'

/** Where a page ends: newest change first, then id. */
export interface Position {
  at: number
  id: string
}

export const cursorOf = ({ at, id }: Position): string => `${at}.${id}`

/** @throws ProductError `invalid_input` for anything we did not write ourselves */
export function positionOf(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null
  const [at = '', id = '', ...more] = cursor.split('.')
  if (more.length > 0 || !/^\d{1,15}$/.test(at) || !isId('insight', id))
    throw new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })
  return { at: Number(at), id }
}
