import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test'
import { createApp } from '../../src/app'
import { systemIds, type Deps } from '../../src/deps'
import { hmacSha256Hex, sha256Hex } from '../../src/lib/hash'
import type { Role } from '../../src/shared/permissions'
import type { Subscription } from '../../src/shared/billing/entitlements'
import { TRIAL_MS } from '../../src/shared/billing/plans'

/** Everything tests need that exists before the act: people, workspaces, sessions, written as rows (no hashing). */
export const ORIGIN = 'http://localhost:8787'
const HOUR_MS = 60 * 60 * 1000

let serial = 0
/** Names that no other test of the file uses. */
export const unique = (word: string): string => `${word}-${++serial}-${systemIds.token(4)}`

export interface TestWorkspace {
  id: string
  name: string
}
export interface WorkspaceOptions {
  name?: string
  timeZone?: string
  subscription?: Partial<Subscription>
  createdAt?: number
}

/** Something that is, and the rows that say so: several go into one batch. */
type Rows<T> = T & { rows: D1PreparedStatement[] }

/** A workspace with its subscription row: in trial unless said otherwise. */
export async function aWorkspace(options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  const { rows, ...workspace } = workspaceRows(options)
  await env.DB.batch(rows)
  return workspace
}

function workspaceRows(options: WorkspaceOptions): Rows<TestWorkspace> {
  const id = systemIds.next('workspace')
  const name = options.name ?? unique('Workspace')
  const createdAt = options.createdAt ?? Date.now() - HOUR_MS
  const {
    state = 'trialing',
    planId = null,
    trialEndsAt = createdAt + TRIAL_MS,
    override = null,
    addOns = {},
    tier = null,
    invoiceDueAt = null,
    pastDueSince = null,
    fetchedAt = 0,
  } = options.subscription ?? {}
  const rows = [
    env.DB.prepare(
      `INSERT INTO workspaces (id, name, country, currency, number_locale, time_zone, fiscal_year_start, week_start, created_at)
       VALUES (?, ?, 'SE', 'SEK', 'sv-SE', ?, 1, 'monday', ?)`,
    ).bind(id, name, options.timeZone ?? 'Europe/Stockholm', createdAt),
    env.DB.prepare(
      `INSERT INTO subscriptions (workspace_id, state, plan_id, trial_ends_at, override, add_ons, tier, invoice_due_at,
         past_due_since, fetched_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).bind(
      ...[id, state, planId, trialEndsAt, override && JSON.stringify(override), JSON.stringify(addOns), tier],
      ...[invoiceDueAt, pastDueSince, fetchedAt],
    ),
  ]
  return { id, name, rows }
}

/** A person without a password: tests of passwords register through the route. */
export async function aPerson(options: PersonOptions = {}): Promise<string> {
  const { id, rows } = personRows(options)
  await env.DB.batch(rows)
  return id
}

interface PersonOptions {
  email?: string
  onboarding?: string
  /** False: the address was typed and nothing has proven it. */
  proven?: boolean
  staff?: boolean
}
function personRows(options: PersonOptions): Rows<{ id: string }> {
  const id = systemIds.next('user')
  const now = Date.now()
  const row = env.DB.prepare(
    'INSERT INTO users (id, email, email_proven_at, name, onboarding, staff_role, terms_accepted_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).bind(
    ...[id, options.email ?? `${unique('person')}@example.com`, options.proven === false ? null : now],
    ...['Test Person', options.onboarding ?? 'done'],
    ...[options.staff === true ? 'support' : null, now, now],
  )
  return { id, rows: [row] }
}

export async function aMember(workspaceId: string, userId: string, role: Role): Promise<void> {
  await memberRow(workspaceId, userId, role).run()
}

const memberRow = (workspaceId: string, userId: string, role: Role): D1PreparedStatement =>
  env.DB.prepare('INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (?, ?, ?, ?)').bind(
    workspaceId,
    userId,
    role,
    Date.now(),
  )

/** A session row and record; answers its token. */
export async function aSession(userId: string, at: SessionTimes = {}): Promise<{ token: string; hash: string }> {
  const { rows, ...session } = await sessionRows(userId, at)
  await env.DB.batch(rows)
  return session
}

interface SessionTimes {
  createdAt?: number
  lastSeenAt?: number
}
/** The record is kept at once; the row is for the caller to write. */
async function sessionRows(userId: string, at: SessionTimes): Promise<Rows<{ token: string; hash: string }>> {
  const token = systemIds.token(32)
  const hash = await sha256Hex(token)
  const createdAt = at.createdAt ?? Date.now()
  const row = env.DB.prepare('INSERT INTO sessions (hash, user_id, created_at, last_seen_at) VALUES (?, ?, ?, ?)').bind(
    hash,
    userId,
    createdAt,
    at.lastSeenAt ?? createdAt,
  )
  await env.SESSIONS.put(`session:${hash}`, JSON.stringify({ userId, epoch: 1 }))
  return { token, hash, rows: [row] }
}

type App = ReturnType<typeof createApp>

/**
 * Calls an app in-process; `waitUntil` work is finished before the answer is handed over.
 * @param bindings in place of the platform's own
 */
export async function callApp(
  app: App,
  path: string,
  init: RequestInit = {},
  bindings: object = env,
): Promise<Response> {
  const context = createExecutionContext()
  const response = await app.fetch(new Request(`${ORIGIN}${path}`, init), bindings, context)
  await waitOnExecutionContext(context)
  return response
}

export interface Caller {
  app: App
  cookie: string
  csrf: string
  headers: Record<string, string>
  /** A call as this person; a `json` body is encoded, headers are laid over the usual ones. */
  fetch(path: string, init?: CallInit): Promise<Response>
}
export interface CallInit extends Omit<RequestInit, 'headers'> {
  json?: unknown
  headers?: Record<string, string>
  /** In place of the platform's own. */
  bindings?: object
}
export interface SignedIn extends Caller {
  userId: string
  workspaceId: string
  sessionHash: string
}

function caller(app: App, given: { cookie: string; csrf: string; workspaceId?: string }): Caller {
  const headers: Record<string, string> = {
    cookie: given.cookie,
    'x-csrf-token': given.csrf,
    'content-type': 'application/json',
    ...(given.workspaceId === undefined ? {} : { 'x-workspace': given.workspaceId }),
  }
  return {
    app,
    cookie: given.cookie,
    csrf: given.csrf,
    headers,
    fetch: (path, { json, bindings, ...init } = {}) => {
      const body = json === undefined ? {} : { body: JSON.stringify(json) }
      return callApp(app, path, { ...init, headers: { ...headers, ...init.headers }, ...body }, bindings)
    },
  }
}

const secret = (): string => String(env['SESSION_SECRET'])

export interface SignedInOptions extends WorkspaceOptions {
  role?: Role
  /** An existing workspace to be a member of; without it a new one is made. */
  workspaceId?: string
  /** Injected clock, ids, bindings. */
  deps?: Partial<Deps>
  app?: App
  session?: SessionTimes
  /** Works for the operator. */
  staff?: boolean
  /** False: their address waits for its proof. */
  proven?: boolean
}

/** Building the table of all routes costs as much as a call: those who change nothing share one. */
let plainApp: App | undefined
const appWith = (deps: Partial<Deps> | undefined): App => (deps ? createApp(deps) : (plainApp ??= createApp()))

/** A person with a session, who is a member (owner unless said otherwise) of a workspace. */
export async function signedIn(options: SignedInOptions = {}): Promise<SignedIn> {
  const { role = 'owner', session = {}, app = appWith(options.deps) } = options
  const workspace = options.workspaceId === undefined ? workspaceRows(options) : { id: options.workspaceId, rows: [] }
  const workspaceId = workspace.id
  const { id: userId, rows: person } = personRows({ staff: options.staff ?? false, proven: options.proven ?? true })
  const { token, hash, rows: seen } = await sessionRows(userId, session)
  await env.DB.batch([...workspace.rows, ...person, memberRow(workspaceId, userId, role), ...seen])
  const csrf = await hmacSha256Hex(secret(), `csrf:session:${hash}`)
  return {
    ...caller(app, { cookie: `insikt_session=${token}`, csrf, workspaceId }),
    userId,
    workspaceId,
    sessionHash: hash,
  }
}

/** The owner of a workspace that has nothing to do with anybody else's. */
export const otherWorkspace = (app?: App): Promise<SignedIn> => signedIn(app ? { app } : {})

/** Someone who has not signed in, with a visitor cookie and its token. */
export async function visitor(options: { deps?: Partial<Deps>; app?: App } = {}): Promise<Caller> {
  const id = systemIds.token(16)
  const cookie = `insikt_visitor=${id}.${await hmacSha256Hex(secret(), `visitor:${id}`)}`
  const csrf = await hmacSha256Hex(secret(), `csrf:visitor:${id}`)
  return caller(options.app ?? appWith(options.deps), { cookie, csrf })
}

/** A trial that ended an hour ago: everything can be read, nothing written. */
export const expiredTrial = (options: SignedInOptions = {}): Promise<SignedIn> =>
  signedIn({ ...options, subscription: { trialEndsAt: Date.now() - HOUR_MS } })

/** The cookies that an answer sets, as a `cookie` header; cleared ones are left out. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ')
