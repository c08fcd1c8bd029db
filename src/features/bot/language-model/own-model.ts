import { modelKeyStore, type StoredEndpoint } from './settings-store'
import type { ConfiguredModel, Deps } from '../../../deps'
import { log } from '../../../lib/log'
import { ModelStatus, workspaceModel, type LanguageModel } from '../../../outbound/language-model'
import { targetRulesOf } from '../../../outbound/target-rules'
import { keyringOf, openSecret, sealSecret, type SecretOwner } from '../../../secrets/secret-box'
import type { OwnModelInput } from '../../../shared/bot/language-model'
import { ProductError } from '../../../shared/errors'

const ownerOf = (workspaceId: string): SecretOwner => ({ workspaceId, use: 'language-model' })
type ModelDeps = Pick<Deps, 'settings' | 'resolve' | 'targetFetcher'>

function modelAt(deps: ModelDeps, { baseUrl, model }: OwnModelInput, apiKey: string | undefined): LanguageModel {
  const { settings, resolve, targetFetcher: fetcher } = deps
  return workspaceModel({ baseUrl, model, apiKey }, { rules: targetRulesOf(settings), resolve, fetcher })
}

/** The workspace's own model, ready to be asked. @throws ProductError `credential_unreadable` when it is asked and its key cannot be opened */
export function ownModel(deps: ModelDeps, workspaceId: string, stored: StoredEndpoint): ConfiguredModel {
  return {
    about: { name: stored.model, host: new URL(stored.baseUrl).host },
    ask: async (messages) => modelAt(deps, stored, await openKey(deps, workspaceId, stored))(messages),
  }
}

async function openKey({ settings }: ModelDeps, workspaceId: string, { sealedKey }: StoredEndpoint) {
  if (sealedKey === null) return undefined
  return openSecret(await keyringOf(settings.SECRETS_KEYS), ownerOf(workspaceId), sealedKey)
}

/**
 * What is stored of an endpoint that was entered, after it answered a question. A stored key goes to the address that it was
 * entered for and to no other.
 * @throws ProductError `invalid_input` with what is wrong beside its field
 */
export async function checkedEndpoint(
  deps: ModelDeps,
  workspaceId: string,
  { input, before }: { input: OwnModelInput; before: StoredEndpoint | null },
): Promise<StoredEndpoint> {
  const { baseUrl, model } = input
  if (input.apiKey === undefined && before?.sealedKey != null && before.baseUrl !== baseUrl)
    throw wrong('own.apiKey', 'Enter the key again: the address has changed.')
  const isSameKey = input.apiKey === undefined && before !== null
  const apiKey = isSameKey ? await openKey(deps, workspaceId, before).catch(unreadable) : input.apiKey
  await assertAnswers(modelAt(deps, input, apiKey))
  if (isSameKey) return { ...before, baseUrl, model }
  if (apiKey === undefined) return { baseUrl, model, sealedKey: null, sealedWith: null }
  const ring = await keyringOf(deps.settings.SECRETS_KEYS)
  const sealedKey = await sealSecret(ring, ownerOf(workspaceId), apiKey)
  return { baseUrl, model, sealedKey, sealedWith: ring.current.id }
}

const wrong = (field: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [field]: message } })
function unreadable(error: unknown): never {
  if (!(error instanceof ProductError && error.code === 'credential_unreadable')) throw error
  throw wrong('own.apiKey', 'Enter the key again: the stored one can’t be read.')
}
const REFUSED_KEY = new Set([401, 403])
const TRIAL = [
  { role: 'system', content: 'Answer with the JSON object {"kind":"refuse"} and nothing else.' },
  { role: 'user', content: '{"question":"test"}' },
] as const

/** Asks once, with nothing of the workspace. */
async function assertAnswers(ask: LanguageModel): Promise<void> {
  try {
    await ask(TRIAL)
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    if (error.code === 'target_not_allowed') throw wrong('own.baseUrl', 'Use a public https address.')
    if (error.code !== 'ai_unavailable') throw error
    const status = error.cause instanceof ModelStatus ? error.cause.status : null
    if (status !== null && REFUSED_KEY.has(status)) throw wrong('own.apiKey', 'The endpoint refused this key.')
    if (status === 404) throw wrong('own.model', 'The endpoint doesn’t know this address or model.')
    throw wrong('own.baseUrl', 'No answer from this endpoint. Check the address and the model’s name.')
  }
}

/** Of one scheduled round. */
const ROTATED_AT_ONCE = 100

/** Seals with the current key what an earlier one sealed; killed anywhere, it goes on with what is left. @returns how many */
export async function rotateModelKeys({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<number> {
  if (settings.SECRETS_KEYS === undefined) return 0
  const ring = await keyringOf(settings.SECRETS_KEYS)
  const store = modelKeyStore(db)
  let [done, after] = [0, '']
  for (;;) {
    const rows = await store.notSealedWith(ring.current.id, { after, limit: ROTATED_AT_ONCE })
    for (const { workspaceId, sealed } of rows) {
      try {
        const again = await sealSecret(ring, ownerOf(workspaceId), await openSecret(ring, ownerOf(workspaceId), sealed))
        if (await store.replace(workspaceId, sealed, { sealed: again, keyId: ring.current.id })) done += 1
      } catch (error) {
        // Passed over: what no key opens any more holds up nobody behind it.
        if (!(error instanceof ProductError && error.code === 'credential_unreadable')) throw error
        log('warn', 'a language model’s key could not be read for its rotation', { workspaceId })
      }
    }
    const last = rows.at(-1)
    if (!last || rows.length < ROTATED_AT_ONCE || done >= ROTATED_AT_ONCE) return done
    after = last.workspaceId
  }
}
