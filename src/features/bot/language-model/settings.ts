import { modelSettingsStore } from './settings-store'
import { auditEntryFactory, commit } from '../../../db/commit'
import type { ReadContext } from '../../../deps'
import { readUsage, type QuotaHolder } from '../../../entitlements/usage'
import type { RequestContext } from '../../../http/request-context'
import type { ModelSettings, ModelSettingsInput } from '../../../shared/bot/language-model'
import { ProductError } from '../../../shared/errors'

const auditOf = auditEntryFactory('workspace')

type SettingsContext = ReadContext & { membership: QuotaHolder }

export async function getModelSettings({ deps, scope, membership }: SettingsContext): Promise<ModelSettings> {
  const [stored, limits] = await Promise.all([
    modelSettingsStore(deps.db, scope).get(),
    readUsage(deps.db, scope, { ...membership, now: deps.clock.now() }),
  ])
  const { used = 0, max = 0, resetsAt = null } = limits.find(({ limit }) => limit === 'aiMessages') ?? {}
  return { ...stored, configured: deps.languageModel?.about ?? null, usage: { used, max, resetsAt } }
}

/** @throws ProductError `version_conflict` with what is stored as `current`; `not_enabled` without a model to turn on */
export async function saveModelSettings(context: RequestContext, input: ModelSettingsInput): Promise<ModelSettings> {
  const { deps, scope } = context
  if (input.model && deps.languageModel === null) throw new ProductError('not_enabled', { feature: 'languageModel' })
  const before = await getModelSettings(context)
  const after: ModelSettings = { ...before, ...input, version: input.version + 1 }
  const told = ({ model, rowValues }: ModelSettings) => ({ model, rowValues })
  await commit(deps, {
    change: [modelSettingsStore(deps.db, scope).save(input, deps.clock.now())],
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
