import { requireWholeConnection } from './stored-connection'
import { checkEntered } from './entered-connection'
import { draftOwner } from './draft-connection'
import type { Connection } from '../../connectors/contract'
import type { Deps } from '../../deps'
import { readMemberContext } from '../../identity/member-context-store'
import type { StoreContext } from '../../features/data-sources/store'
import { errorMessage, log } from '../../lib/log'
import { sourceAudit } from './connect-source'
import { failureOf } from '../sync/sync-failure'
import { tryCommit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import type { ConsentProblem } from '../../shared/data-sources/connections'
import type { ConnectorKind } from '../../shared/data-sources/connectors'
import { roleMay } from '../../shared/permissions'
import { connectionStore } from '../../sync/connection-store'
import { contextFor, openCredentials, requireConnector, sealCredentials } from '../../sync/credentials'
import { draftStore, type DraftRow } from '../../sync/draft-store'

const DRAFT_MS = 60 * 60 * 1000
const ID_BYTES = 16
const VERIFIER_BYTES = 32
/** Where vendors lead people back to. */
const CALLBACK_PATH = '/files/connectors/callback'

const callbackOf = (deps: Pick<Deps, 'settings'>): string => new URL(CALLBACK_PATH, deps.settings.BASE_URL).href

async function challengeOf(verifier: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  const text = btoa(Array.from(digest, (byte) => String.fromCharCode(byte)).join(''))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Remembers that consent is asked for, and answers the vendor's page. `state` is the draft's id: unguessable, of one person. */
export async function startConsent(
  deps: Deps,
  ask: StoreContext,
  input: { kind: ConnectorKind; settings: Record<string, string>; sourceId?: string | undefined },
): Promise<{ url: string }> {
  const registered = requireConnector(deps, input.kind)
  const { authorise } = registered.connector
  if (!authorise) throw new ProductError('not_found')
  const { workspaceId, actorId } = ask.scope
  if (input.sourceId !== undefined) {
    const { row } = await requireWholeConnection(deps, ask, input.sourceId)
    if (row.kind !== input.kind) throw new ProductError('not_found')
  }
  const connection = checkEntered(registered, { settings: input.settings, secrets: {} })
  const id = deps.ids.token(ID_BYTES)
  const verifier = deps.ids.token(VERIFIER_BYTES)
  const sealed = await sealCredentials(deps, draftOwner({ id, workspaceId }), { verifier })
  if (!sealed) throw new ProductError('not_enabled', { feature: 'connectors' })
  await draftStore(deps.db).insert({
    ...{ id, workspaceId, userId: actorId, kind: input.kind, sourceId: input.sourceId ?? null },
    ...{ settings: { ...connection.settings }, sealed: sealed.sealed, state: 'asked' },
    expiresAt: deps.clock.now() + DRAFT_MS,
  })
  const context = contextFor(deps, registered, { connection, budgetOf: id })
  const at = { state: id, redirectUri: callbackOf(deps), codeChallenge: await challengeOf(verifier) }
  return { url: authorise.url(context, at) }
}

/** The page that goes on after the vendor's: the wizard, or the source whose access is renewed. */
function placeOf(
  { kind, sourceId, workspaceId }: Pick<DraftRow, 'kind' | 'sourceId' | 'workspaceId'>,
  more: { draft?: string; problem?: ConsentProblem } = {},
): string {
  const search = new URLSearchParams({ w: workspaceId, ...more }).toString()
  return sourceId === null ? `/data-sources/new/${kind}?${search}` : `/data-sources/${sourceId}?${search}`
}

/** Takes the vendor's answer: a page load, so what goes wrong is told on the page that goes on. @returns its address */
export async function finishConsent(
  deps: Deps,
  userId: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const draft = await draftStore(deps.db).get(query['state'] ?? '', { userId, now: deps.clock.now() })
  if (!draft || draft.state !== 'asked') return '/data-sources/new'
  if (query['error'] === 'access_denied') return placeOf(draft, { problem: 'denied' })
  try {
    const problem = await takeConsent(deps, draft, query)
    if (problem !== null) return placeOf(draft, { problem })
    return placeOf(draft, draft.sourceId === null ? { draft: draft.id } : {})
  } catch (error) {
    if (failureOf(error, draft.kind) === null) deps.reporter.report(error, { route: 'consent' })
    log('warn', 'a consent led to nothing', { kind: draft.kind, error: errorMessage(error) })
    return placeOf(draft, { problem: 'failed' })
  }
}

async function takeConsent(
  deps: Deps,
  draft: DraftRow,
  query: Readonly<Record<string, string>>,
): Promise<ConsentProblem | null> {
  const { code } = query
  const registered = requireConnector(deps, draft.kind)
  const { authorise } = registered.connector
  if (!authorise || code === undefined) return 'failed'
  const { verifier = '' } = await openCredentials(deps, { ...draftOwner(draft), secrets: draft.sealed })
  const context = contextFor(deps, registered, {
    connection: { settings: draft.settings, secrets: {} },
    budgetOf: draft.id,
  })
  const answer = { code, redirectUri: callbackOf(deps), codeVerifier: verifier, query }
  const issued = await authorise.exchange(context, answer)
  const connection = { settings: { ...draft.settings, ...issued.settings }, secrets: issued.secrets }
  if (draft.sourceId !== null) return replaceConsent(deps, { ...draft, sourceId: draft.sourceId }, connection)
  const sealed = await sealCredentials(deps, draftOwner(draft), issued.secrets)
  const isKept =
    sealed && (await draftStore(deps.db).give(draft.id, { sealed: sealed.sealed, settings: connection.settings }))
  return isKept ? null : 'failed'
}

/** What an account is only called may differ from one consent to the next. */
const NAME_SETTINGS = new Set(['company'])
/** Whether consent is for the same company or file: another one's rows would take the place of those that are there. */
const isSameAccount = (before: Connection['settings'], given: Connection['settings']): boolean =>
  Object.entries(given).every(([key, value]) => NAME_SETTINGS.has(key) || (before[key] ?? value) === value)

async function replaceConsent(
  deps: Deps,
  draft: { id: string; workspaceId: string; userId: string; sourceId: string },
  connection: Connection,
): Promise<ConsentProblem | null> {
  const { sourceId, workspaceId, userId } = draft
  const store = connectionStore(deps.db, workspaceId)
  const [row, member] = [await store.get(sourceId), await readMemberContext(deps, { workspaceId, userId })]
  // Rights may have gone since the start.
  if (!row || !member || !roleMay(member.role, 'edit:source')) return 'failed'
  if (!isSameAccount(row.settings, connection.settings)) return 'other'
  const sealed = await sealCredentials(deps, row, connection.secrets)
  if (!sealed) return 'failed'
  const settings = { ...row.settings, ...connection.settings }
  const nextAt = row.failure === null ? row.nextAt : deps.clock.now()
  const isWritten = await tryCommit(deps, {
    change: [
      store.setSecrets(sourceId, { ...sealed, version: row.secretsVersion }),
      store.setSettings(sourceId, { settings, frequencyHours: row.frequencyHours, nextAt }),
      draftStore(deps.db).remove(draft.id),
    ],
    audit: [sourceAudit({ scope: { workspaceId, actorId: userId } }, { action: 'source.credentials', id: sourceId })],
  })
  return isWritten ? null : 'failed'
}
