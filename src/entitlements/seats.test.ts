import { env } from 'cloudflare:test'
import { beforeAll, expect, it } from 'vitest'
import { createApp } from '../app'
import { aMember, aWorkspace, signedIn, type SignedIn } from '../../test/worker/factories'
import { emailOf, inviteToken, countTakenSeats } from '../../test/worker/people'
import { systemIds } from '../deps'
import type { CreateInvitesResult } from '../shared/invites'

const app = createApp()
const ROUNDS = env.LONG === '1' ? 200 : 2
/** Rounds after which other people take part: nobody may invite more than 300, or accept more than 60 times an hour. */
const SHIFT = 22
const AT_ONCE = 50
/** Members who hold a seat before each round. */
const SEATED = 3

interface Cast {
  owner: SignedIn
  /** Who waits: suspended members, or people with an invitation. */
  waiting: SignedIn[]
  emails: string[]
}

async function cast(): Promise<Cast> {
  const owner = await signedIn({ app })
  const viewers = Array.from({ length: AT_ONCE }, () =>
    signedIn({ app, workspaceId: owner.workspaceId, role: 'viewer' }),
  )
  const waiting = await Promise.all(viewers)
  return { owner, waiting, emails: await Promise.all(waiting.map(({ userId }) => emailOf(userId))) }
}

/** A workspace with {@link SEATED} seats taken and room for `users`. */
async function stage({ owner }: Cast, users: number): Promise<string> {
  const { id } = await aWorkspace({ subscription: { override: { users, analysts: null } } })
  await aMember(id, owner.userId, 'owner')
  for (let n = 1; n < SEATED; n++) await aMember(id, (await signedIn({ app })).userId, 'viewer')
  return id
}

const suspend = (workspaceId: string, people: SignedIn[]) =>
  env.DB.batch(
    people.map(({ userId }) =>
      env.DB.prepare(
        "INSERT INTO members (workspace_id, user_id, role, status, created_at) VALUES (?, ?, 'viewer', 'suspended', 1)",
      ).bind(workspaceId, userId),
    ),
  )

/** Invitations as rows: more of them than there are seats, as when a plan became smaller. */
async function invited(workspaceId: string, { owner }: Cast, emails: string[]): Promise<string[]> {
  const ids = emails.map(() => systemIds.next('invite'))
  await env.DB.batch(
    emails.map((email, n) =>
      env.DB.prepare(
        "INSERT INTO invites (id, workspace_id, email, role, invited_by, created_at, sent_at, expires_at) VALUES (?, ?, ?, 'viewer', ?, 1, 1, ?)",
      ).bind(ids[n] ?? '', workspaceId, email, owner.userId, Date.now() + 3_600_000),
    ),
  )
  return Promise.all(ids.map((id) => inviteToken(id)))
}

/** What one call did: took a seat, or was told that none is left. */
type Did = 'seat' | 'full'
async function told(answer: Response): Promise<Did> {
  if (answer.status === 200) return 'seat'
  expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([409, 'limit_reached'])
  return 'full'
}
const inHeaders = (workspaceId: string) => ({ 'x-workspace': workspaceId })

function reactivate({ owner }: Cast, workspaceId: string, who: SignedIn | undefined): Promise<Did> {
  const json = { role: 'viewer', status: 'active', version: 1 }
  const path = `/api/members/${who?.userId ?? ''}`
  return owner.fetch(path, { method: 'PUT', json, headers: inHeaders(workspaceId) }).then(told)
}

async function invite({ owner }: Cast, workspaceId: string, email: string): Promise<Did> {
  const json = { emails: [email], role: 'viewer' }
  const answer = await owner.fetch('/api/invites', { method: 'POST', json, headers: inHeaders(workspaceId) })
  expect(answer.status).toBe(200)
  const { lines } = await answer.json<CreateInvitesResult>()
  expect(['sent', 'no_seat']).toContain(lines[0]?.outcome)
  return lines[0]?.outcome === 'sent' ? 'seat' : 'full'
}

const accept = (who: SignedIn | undefined, token: string | undefined): Promise<Did> =>
  who?.fetch('/api/invites/accept', { method: 'POST', json: { token } }).then(told) ?? Promise.resolve('full')

let people: Cast
beforeAll(async () => {
  people = await cast()
})

async function playRound(round: number): Promise<void> {
  if (round % SHIFT === SHIFT - 1) people = await cast()
  const { waiting, emails } = people
  const workspaceId = await stage(people, SEATED + 1)
  const calls: (() => Promise<Did>)[] = []
  if (round % 2 === 0) {
    await suspend(workspaceId, waiting.slice(0, AT_ONCE / 2))
    for (let n = 0; n < AT_ONCE / 2; n++)
      calls.push(
        () => reactivate(people, workspaceId, waiting[n]),
        () => invite(people, workspaceId, `new-${round}-${n}@example.com`),
      )
  } else {
    const tokens = await invited(workspaceId, people, emails)
    waiting.forEach((who, n) => calls.push(() => accept(who, tokens[n])))
  }
  const did = await Promise.all(calls.map((call) => call()))
  expect([round, did.filter((one) => one === 'seat').length]).toEqual([round, 1])
  const active = await env.DB.prepare("SELECT count(*) AS n FROM members WHERE workspace_id = ? AND status = 'active'")
    .bind(workspaceId)
    .first<number>('n')
  expect(active).toBeLessThanOrEqual(SEATED + 1)
  if (round % 2 === 0) expect(await countTakenSeats(workspaceId)).toBe(SEATED + 1)
}

/** Rounds are told apart in parts, so that none is cut off on a slow machine. */
const PART = 2
it.each(Array.from({ length: ROUNDS / PART }, (_, part) => part * PART))(
  `gives the one seat left to one of ${AT_ONCE} invitations and reactivations, or acceptances, at once (BIL-1): from round %i`,
  async (from) => {
    for (let round = from; round < from + PART; round++) await playRound(round)
  },
)

it('lets everybody in who holds a seat by invitation, and one more beside them, when all come at once', async () => {
  const { waiting, emails } = people
  const held = 20
  const workspaceId = await stage(people, SEATED + held + 1)
  const tokens = await invited(workspaceId, people, emails.slice(0, held))
  await suspend(workspaceId, waiting.slice(held, held + 10))
  const [accepted, others] = await Promise.all([
    Promise.all(tokens.map((token, n) => accept(waiting[n], token))),
    Promise.all([
      ...Array.from({ length: 10 }, (_, n) => reactivate(people, workspaceId, waiting[held + n])),
      ...Array.from({ length: 10 }, (_, n) => invite(people, workspaceId, `more-${n}@example.com`)),
    ]),
  ])
  expect(accepted).toEqual(accepted.map(() => 'seat'))
  expect(others.filter((one) => one === 'seat')).toHaveLength(1)
  expect(await countTakenSeats(workspaceId)).toBe(SEATED + held + 1)
})
