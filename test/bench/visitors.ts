import { createHash, randomBytes } from 'node:crypto'
import type { RunningServer } from '../http/server.ts'
import type { PageData } from '../../src/shared/session.ts'

/** Somebody with a session in a workspace. */
export interface Visitor {
  id: string
  cookie: string
  csrf: string
}

/**
 * Members of a workspace with a session each, written as rows: registering them is another benchmark.
 * @param asking how many of them are wanted; the others are only there
 */
export async function addVisitors(
  { address, write }: Pick<RunningServer, 'address' | 'write'>,
  workspaceId: string,
  count: number,
  asking = count,
): Promise<Visitor[]> {
  const now = Date.now()
  const people = Array.from({ length: count }, () => {
    const [token, name] = [randomBytes(32).toString('hex'), randomBytes(10).toString('hex')]
    return { token, name, hash: createHash('sha256').update(token).digest('hex') }
  })
  const rows = people.flatMap(({ name, hash }) => [
    `INSERT INTO users (id, email, name, onboarding, terms_accepted_at, created_at) VALUES ('usr_${name}', '${name}@example.com', 'Visitor', 'done', 1, 1)`,
    `INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ('${workspaceId}', 'usr_${name}', 'viewer', 1)`,
    `INSERT INTO sessions (hash, user_id, created_at, last_seen_at) VALUES ('${hash}', 'usr_${name}', ${now}, ${now})`,
  ])
  // Seats are not what is measured.
  const seats = `UPDATE subscriptions SET override = '{"users":null}' WHERE workspace_id = '${workspaceId}'`
  await write(seats, ...rows)
  return Promise.all(
    people.slice(0, asking).map(async ({ token, name }) => {
      const cookie = `insikt_session=${token}`
      const answer = await fetch(`${address}/api/session?w=${workspaceId}`, { headers: { cookie } })
      const data: PageData = await answer.json()
      return { id: `usr_${name}`, cookie, csrf: data.csrfToken }
    }),
  )
}
