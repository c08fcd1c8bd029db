import { checkEntered } from './entered-connection'
import { askSource } from './test-connection'
import { draftOwner } from './draft-connection'
import type { Connection } from '../../connectors/contract'
import type { Deps } from '../../deps'
import type { Scope } from '../../identity/scope'
import { sourceAudit } from './connect-source'
import { commit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import type { ConnectorKind } from '../../shared/data-sources/connectors'
import { connectionStore } from '../../sync/connection-store'
import { contextFor, openCredentials, requireConnector, sealCredentials } from '../../sync/credentials'
import { draftStore } from '../../sync/draft-store'

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
  scope: Scope,
  input: { kind: ConnectorKind; settings: Record<string, string>; sourceId?: string | undefined },
): Promise<{ url: string }> {
  const registered = requireConnector(deps, input.kind)
  const { authorise } = registered.connector
  if (!authorise) throw new ProductError('not_found')
  const { workspaceId, actorId } = scope
  if (input.sourceId !== undefined && !(await connectionStore(deps.db, workspaceId).get(input.sourceId)))
    throw new ProductError('not_found')
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

/** Takes the vendor's answer. @returns the page that goes on: the wizard with the draft, or the source that is well again */
export async function finishConsent(
  deps: Deps,
  userId: string,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const draft = await draftStore(deps.db).get(query['state'] ?? '', { userId, now: deps.clock.now() })
  if (!draft || draft.state !== 'asked') return '/data-sources/new'
  const w = `w=${draft.workspaceId}`
  const back = draft.sourceId === null ? `/data-sources/new/${draft.kind}?${w}` : `/data-sources/${draft.sourceId}?${w}`
  const { code } = query
  if (code === undefined) return back
  const registered = requireConnector(deps, draft.kind)
  const { authorise } = registered.connector
  if (!authorise) return back
  const { verifier = '' } = await openCredentials(deps, { ...draftOwner(draft), secrets: draft.sealed })
  const connection = { settings: draft.settings, secrets: {} }
  const context = contextFor(deps, registered, { connection, budgetOf: draft.id })
  const answer = { code, redirectUri: callbackOf(deps), codeVerifier: verifier, query }
  const issued = await askSource(registered.connector.describe().title, () => authorise.exchange(context, answer))
  const settings = { ...draft.settings, ...issued.settings }
  if (draft.sourceId !== null) {
    await replaceConsent(deps, { ...draft, sourceId: draft.sourceId }, { settings, secrets: issued.secrets })
    return back
  }
  const sealed = await sealCredentials(deps, draftOwner(draft), issued.secrets)
  if (!sealed) return back
  await draftStore(deps.db).give(draft.id, { sealed: sealed.sealed, settings })
  return `${back}&draft=${draft.id}`
}

async function replaceConsent(
  deps: Deps,
  draft: { id: string; workspaceId: string; userId: string; sourceId: string },
  connection: Connection,
): Promise<void> {
  const { sourceId, workspaceId, userId } = draft
  const store = connectionStore(deps.db, workspaceId)
  const row = await store.get(sourceId)
  const sealed = row && (await sealCredentials(deps, row, connection.secrets))
  if (!row || !sealed) return
  const settings = { ...row.settings, ...connection.settings }
  const nextAt = row.failure === null ? row.nextAt : deps.clock.now()
  await commit(deps, {
    change: [
      store.setSecrets(sourceId, { ...sealed, version: row.secretsVersion }),
      store.setSettings(sourceId, { settings, frequencyHours: row.frequencyHours, nextAt }),
      draftStore(deps.db).remove(draft.id),
    ],
    audit: [sourceAudit({ scope: { workspaceId, actorId: userId } }, { action: 'source.credentials', id: sourceId })],
  })
}
