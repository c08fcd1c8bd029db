import { checkedEndpoint } from './own-model'
import { modelSettingsStore, type StoredEndpoint } from './settings-store'
import { auditEntryFactory, commit } from '../../../db/commit'
import type { ReadContext } from '../../../deps'
import { readUsage, type QuotaHolder } from '../../../entitlements/usage'
import type { RequestContext } from '../../../http/request-context'
import type { ModelSettings, ModelSettingsInput } from '../../../shared/bot/language-model'
import { ProductError } from '../../../shared/errors'

const auditOf = auditEntryFactory('workspace')

type SettingsContext = ReadContext & { membership: QuotaHolder }

const shownEndpoint = (stored: StoredEndpoint | null): ModelSettings['own'] =>
  stored && { baseUrl: stored.baseUrl, model: stored.model, hasKey: stored.sealedKey !== null }

export async function getModelSettings({ deps, scope, membership }: SettingsContext): Promise<ModelSettings> {
  const [{ endpoint, ...stored }, limits] = await Promise.all([
    modelSettingsStore(deps.db, scope).get(),
    readUsage(deps.db, scope, { ...membership, now: deps.clock.now() }),
  ])
  const { used = 0, max = 0, resetsAt = null } = limits.find(({ limit }) => limit === 'aiMessages') ?? {}
  const configured = deps.languageModel?.about ?? null
  return { ...stored, configured, own: shownEndpoint(endpoint), usage: { used, max, resetsAt } }
}

/**
 * @throws ProductError `version_conflict` with what is stored as `current`; `not_enabled` without a model to turn on;
 * `invalid_input` for an own endpoint that gives no answer
 */
export async function saveModelSettings(context: RequestContext, input: ModelSettingsInput): Promise<ModelSettings> {
  const { deps, scope } = context
  const store = modelSettingsStore(deps.db, scope)
  const [before, { endpoint: stored, version }] = await Promise.all([getModelSettings(context), store.get()])
  // Before anything is asked of an endpoint.
  if (version !== input.version) throw new ProductError('version_conflict', { current: before })
  const endpoint = await endpointAfter(context, input, stored)
  if (input.model && endpoint === null && deps.languageModel === null)
    throw new ProductError('not_enabled', { feature: 'languageModel' })
  const { model, rowValues } = input
  const after: ModelSettings = { ...before, model, rowValues, own: shownEndpoint(endpoint), version: version + 1 }
  const told = ({ model: isOn, rowValues: withValues, own }: ModelSettings) => ({
    model: isOn,
    rowValues: withValues,
    own,
  })
  await commit(deps, {
    change: [store.save(input, endpoint, deps.clock.now())],
    audit: [
      auditOf(context, { action: 'model.update', id: scope.workspaceId, before: told(before), after: told(after) }),
    ],
    reply: context.reply(after),
    expect: {
      onMissed: async () => new ProductError('version_conflict', { current: await getModelSettings(context) }),
    },
  })
  return after
}

async function endpointAfter(
  { deps, scope }: RequestContext,
  { own }: ModelSettingsInput,
  before: StoredEndpoint | null,
): Promise<StoredEndpoint | null> {
  if (own === undefined) return before
  return own && checkedEndpoint(deps, scope.workspaceId, { input: own, before })
}
