import { digestStore } from './store'
import { auditEntryFactory, commit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import type { DigestCadence, DigestSetting } from '../../shared/digest'
import type { ReadContext } from '../../deps'

/** One's own setting in this workspace: weekly for whoever follows something, until said otherwise. */
export const getDigest = ({ deps, scope }: ReadContext): Promise<DigestSetting> => digestStore(deps.db, scope).setting()

/** From the next morning on: what has been told of is not told again. */
export async function saveDigest(context: RequestContext, cadence: DigestCadence): Promise<DigestSetting> {
  const { deps, scope } = context
  const before = await getDigest(context)
  const saved: DigestSetting = { ...before, cadence }
  const change = { action: 'digest.update', id: scope.actorId, before: before.cadence, after: cadence }
  await commit(deps, {
    change: [digestStore(deps.db, scope).saveCadence(cadence)],
    audit: [auditOf(context, change)],
    reply: context.reply(saved),
  })
  return saved
}

const auditOf = auditEntryFactory('user')
