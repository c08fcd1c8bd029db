import { ProductError } from '../../shared/errors'
import { isId } from '../../shared/ids'

/** Where a page ends: by name, then by id. */
export interface MemberPosition {
  name: string
  userId: string
}
const NAME_MAX = 120

export const encodeMemberCursor = ({ name, userId }: MemberPosition): string => `${userId}.${name.slice(0, NAME_MAX)}`

/** @throws ProductError `invalid_input` for what we did not write ourselves */
export function decodeMemberCursor(cursor: string | undefined): MemberPosition | null {
  if (cursor === undefined) return null
  const dot = cursor.indexOf('.')
  const [userId, name] = [cursor.slice(0, Math.max(0, dot)), cursor.slice(dot + 1)]
  if (!isId('user', userId) || name.length > NAME_MAX)
    throw new ProductError('invalid_input', { fields: { cursor: 'Start from the first page.' } })
  return { name, userId }
}
