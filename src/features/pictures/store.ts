import type { Database } from '../../db/database'

/** Makes this the person's picture; null = none. */
export const avatarUpdate = ({ d1 }: Database, userId: string, key: string | null): D1PreparedStatement =>
  d1.prepare('UPDATE users SET avatar_key = ?2 WHERE id = ?1').bind(userId, key)
