import { connectionStore, type ConnectionRow } from './connection-store'
import type { Connection, ConnectorContext, IssuedCredentials, Renewal } from '../connectors/contract'
import { findConnector, type RegisteredConnector } from '../connectors/registry'
import type { Deps } from '../deps'
import { canonicalJson, sha256Hex } from '../lib/hash'
import { createDoors, type TakeCall } from '../outbound/create-doors'
import type { Doors } from '../outbound/doors'
import { targetRulesOf } from '../outbound/target-rules'
import { keyringOf, openSecret, sealSecret } from '../secrets/secret-box'
import { ProductError } from '../shared/errors'

/** Longer than a call to a vendor may take, with what is written after it. */
const RENEWAL_LEASE_MS = 45_000
const RENEWAL_POLL_MS = 250
const SAVES_MAX = 5
const NO_SIGNAL = new AbortController().signal
type SecretsDeps = Pick<Deps, 'settings'>

/** Secrets of a source, sealed for it; `keyId` names the key they are sealed with. */
export async function sealCredentials(
  { settings }: SecretsDeps,
  owner: { workspaceId: string; sourceId: string },
  secrets: Connection['secrets'],
): Promise<{ sealed: string; keyId: string } | null> {
  if (Object.keys(secrets).length === 0) return null
  const ring = await keyringOf(settings.SECRETS_KEYS)
  return { sealed: await sealSecret(ring, owner, JSON.stringify(secrets)), keyId: ring.current.id }
}

/** @throws ProductError `credential_unreadable` */
export async function openCredentials(
  { settings }: SecretsDeps,
  row: Pick<ConnectionRow, 'workspaceId' | 'sourceId' | 'secrets'>,
): Promise<Record<string, string>> {
  if (row.secrets === null) return {}
  const text = await openSecret(await keyringOf(settings.SECRETS_KEYS), row, row.secrets)
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null) throw new ProductError('credential_unreadable')
  return Object.fromEntries(Object.entries(parsed).map(([key, value]) => [key, String(value)]))
}

/** @throws ProductError `not_found` for an unknown kind, `not_enabled` for one without keys of the installation */
export function requireConnector(deps: SecretsDeps, kind: string): RegisteredConnector {
  const found = findConnector(kind)
  if (!found) throw new ProductError('not_found')
  if (!found.operatorOf(deps.settings)) throw new ProductError('not_enabled', { feature: kind })
  return found
}

/** The doors of one connection: its targets are checked, and calls count against what the vendor allows. */
export function doorsFor(deps: Deps, registered: RegisteredConnector, budgetOf: string): Doors {
  const { settings } = deps
  const { kind, rate } = registered.connector.describe()
  const takeCall: TakeCall | undefined =
    rate &&
    (async () => {
      const name = await sha256Hex(`vendor ${kind} ${rate.of === 'vendor' ? '' : budgetOf}`)
      const { retryAfterMs } = await deps.rateLimiter.getByName(name).take(deps.clock.now(), rate.calls, rate.perMs)
      return retryAfterMs
    })
  return createDoors({
    network: { rules: targetRulesOf(settings), resolve: deps.resolve, fetcher: deps.targetFetcher },
    origins: registered.operatorOf(settings)?.origins ?? {},
    pool: deps.databasePool,
    ...(takeCall ? { takeCall } : {}),
  })
}

/** All that a connector is given, for a connection as it was entered. */
export const contextFor = (
  deps: Deps,
  registered: RegisteredConnector,
  of: { connection: Connection; budgetOf: string; signal?: AbortSignal },
): ConnectorContext => ({
  connection: of.connection,
  doors: doorsFor(deps, registered, of.budgetOf),
  operator: registered.operatorOf(deps.settings)?.keys ?? {},
  clock: deps.clock,
  signal: of.signal ?? NO_SIGNAL,
})

/** A stored connection, ready to be called: secrets opened, and renewed where that is due. */
export async function openConnection(
  deps: Deps,
  row: ConnectionRow,
  signal?: AbortSignal,
): Promise<{ registered: RegisteredConnector; context: ConnectorContext }> {
  const registered = requireConnector(deps, row.kind)
  const fresh = await renewedIfDue(deps, registered, row)
  const secrets = await openCredentials(deps, fresh)
  const connection = { settings: fresh.settings, secrets }
  return {
    registered,
    context: contextFor(deps, registered, { connection, budgetOf: row.sourceId, ...(signal ? { signal } : {}) }),
  }
}

/**
 * Tokens are renewed by one at a time: vendors take the old one away with the renewal. Whoever comes second waits and reads
 * what the first one stored.
 */
async function renewedIfDue(deps: Deps, registered: RegisteredConnector, row: ConnectionRow): Promise<ConnectionRow> {
  const renewal = registered.connector.authorise ?? registered.connector.renewal
  if (!renewal) return row
  const store = connectionStore(deps.db, row.workspaceId)
  let current = row
  for (;;) {
    const secrets = await openCredentials(deps, current)
    const now = deps.clock.now()
    if (!renewal.isDue(secrets, now)) return current
    const until = now + RENEWAL_LEASE_MS
    if (await store.takeRenewal(row.sourceId, { now, until }))
      try {
        return await renewed(deps, { registered, renewal, row: current })
      } finally {
        // Where it was renewed, it was given back with that; where it was not, nobody waits for it.
        await store.endRenewal(row.sourceId, until).run()
      }
    await scheduler.wait(RENEWAL_POLL_MS)
    current = (await store.get(row.sourceId)) ?? current
  }
}

/** Whoever has the right to renew does it, unless somebody did between the read and the right. */
async function renewed(
  deps: Deps,
  of: { registered: RegisteredConnector; renewal: Renewal; row: ConnectionRow },
): Promise<ConnectionRow> {
  const { registered, renewal, row } = of
  const latest = (await connectionStore(deps.db, row.workspaceId).get(row.sourceId)) ?? row
  const secrets = await openCredentials(deps, latest)
  if (!renewal.isDue(secrets, deps.clock.now())) return latest
  const connection = { settings: latest.settings, secrets }
  const issued = await renewal.renew(contextFor(deps, registered, { connection, budgetOf: row.sourceId }))
  return saveIssued(deps, latest, secrets, issued)
}

/**
 * Keeps what was issued: the vendor took the old tokens away. That they were sealed again with another key meanwhile changes
 * nothing; others that somebody entered meanwhile are newer and stay.
 */
async function saveIssued(
  deps: Deps,
  row: ConnectionRow,
  before: Record<string, string>,
  issued: IssuedCredentials,
): Promise<ConnectionRow> {
  const store = connectionStore(deps.db, row.workspaceId)
  const sealed = await sealCredentials(deps, row, { ...before, ...issued.secrets })
  if (!sealed) throw new ProductError('credential_unreadable')
  let current = row
  for (let tries = 0; tries < SAVES_MAX; tries += 1) {
    const version = current.secretsVersion
    const written = await store.setSecrets(row.sourceId, { ...sealed, version }).run()
    if (written.meta.changes > 0) {
      const settings = { ...current.settings, ...issued.settings }
      return { ...current, secrets: sealed.sealed, secretsVersion: version + 1, settings }
    }
    const latest = await store.get(row.sourceId)
    if (!latest) throw new ProductError('not_found')
    const held = canonicalJson(await openCredentials(deps, latest))
    if (held !== canonicalJson(before)) return latest
    current = latest
  }
  throw new ProductError('busy')
}
