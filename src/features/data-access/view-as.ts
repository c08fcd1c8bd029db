import { accessAudit } from './service'
import { dataAccessStore } from './store'
import { readAccessPeople } from '../../identity/access/people-store'
import type { StoredViewAs } from '../../identity/access/view-as'
import { commit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { HOUR_MS } from '../../shared/dates'
import { ProductError } from '../../shared/errors'
import type { ViewAsSubject } from '../../shared/data-access/data-access'

/** From now on this browser sees what somebody else would, and may change nothing. @throws ProductError `not_found` */
export async function startViewAs(context: RequestContext, subject: ViewAsSubject): Promise<null> {
  const { deps, scope, actor } = context
  const { workspaceId } = scope
  const name = await nameOf(context, subject)
  const view: StoredViewAs = { workspaceId, subject, name, until: deps.clock.now() + HOUR_MS }
  const id = subject.kind === 'role' ? workspaceId : subject.id
  const entry = accessAudit(context, { action: 'access.viewAs', id, after: subject })
  await commit(deps, {
    change: [dataAccessStore(deps.db, scope).setViewAs(actor.sessionHash, view)],
    audit: [{ ...entry, ...(subject.kind === 'member' ? { otherId: subject.id } : {}) }],
    reply: context.reply(null),
  })
  return null
}

/** The person's own view again. */
export async function endViewAs(context: RequestContext): Promise<null> {
  const { deps, scope, actor } = context
  await commit(deps, {
    change: [dataAccessStore(deps.db, scope).setViewAs(actor.sessionHash, null)],
    audit: [accessAudit(context, { action: 'access.viewOwn', id: scope.workspaceId })],
    reply: context.reply(null),
  })
  return null
}

async function nameOf({ deps, scope, membership }: RequestContext, subject: ViewAsSubject): Promise<string> {
  if (subject.kind === 'role') return subject.role
  const { workspaceId } = scope
  if (subject.kind === 'member') {
    const { features } = membership.entitlements
    const [person] = await readAccessPeople(deps.db, { workspaceId, features, only: subject.id })
    if (!person) throw new ProductError('not_found')
    return person.name
  }
  const names = await dataAccessStore(deps.db, scope).names()
  const group = names.find(({ kind, id }) => kind === 'group' && id === subject.id)
  if (!group) throw new ProductError('not_found')
  return group.name
}
