import type { Database } from './database'

/** Pictures that no row has taken over, or that a row has let go of: they are to be removed. */
export const pictureStore = ({ d1 }: Database) => ({
  add: (key: string, dueAt: number): Promise<unknown> =>
    d1.prepare('INSERT INTO stray_pictures (key, due_at) VALUES (?, ?)').bind(key, dueAt).run(),

  async dueKeys(now: number, limit: number): Promise<string[]> {
    const { results } = await d1
      .prepare('SELECT key FROM stray_pictures WHERE due_at <= ? ORDER BY due_at LIMIT ?')
      .bind(now, limit)
      .all<{ key: string }>()
    return results.map(({ key }) => key)
  },

  remove: (keys: string[]): Promise<unknown> =>
    d1
      .prepare('DELETE FROM stray_pictures WHERE key IN (SELECT value FROM json_each(?))')
      .bind(JSON.stringify(keys))
      .run(),
})
