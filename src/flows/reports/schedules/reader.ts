import { allowedDomains } from '../../../features/reports/schedules/begin'
import { domainOf } from '../../../features/reports/schedules/check-recipients'
import type { ClaimedDelivery } from '../../../features/reports/schedules/delivery-store'
import type { StoredSchedule } from '../../../features/reports/schedules/store'
import type { Deps } from '../../../deps'
import { sharedRights } from '../../../identity/access/shared-rights'
import { readMemberContext, type MemberContext } from '../../../identity/member-context-store'
import { Scope } from '../../../scope'
import { roleMay } from '../../../shared/permissions'
import type { DeliveryReason } from '../../../shared/reports/schedules'

/** Whom a report is made for, with their rights, and where their mails go. */
export interface ReportReader extends Omit<MemberContext, 'email'> {
  email: string
  /** Not a member: gets what the schedule's owner may see. */
  isOutside: boolean
  /** Whose schedule it is. */
  owner: string
}

/** Who a delivery is for as the database says now, or why they get nothing. */
export async function readReader(
  deps: Deps,
  schedule: StoredSchedule,
  delivery: ClaimedDelivery,
): Promise<ReportReader | DeliveryReason> {
  const { workspaceId, ownerName: owner } = schedule
  if (delivery.kind === 'address') return readOutsider(deps, schedule, delivery.recipient)
  const member = await readMemberContext(deps, { workspaceId, userId: delivery.recipient })
  if (!member) return 'left'
  const isFile = schedule.content.format !== 'link'
  if (!roleMay(member.role, 'view:report') || (isFile && !roleMay(member.role, 'export:data'))) return 'role'
  if (member.entitlements.readOnly !== null) return 'plan'
  return member.email === null ? 'unproven' : { ...member, email: member.email, isOutside: false, owner }
}

/** Somebody outside sees what the owner could see when they saved the schedule, and still may. */
async function readOutsider(
  deps: Deps,
  { workspaceId, ownerId, ownerName, rights }: StoredSchedule,
  email: string,
): Promise<ReportReader | DeliveryReason> {
  const owner = await readMemberContext(deps, { workspaceId, userId: ownerId })
  if (!owner || !roleMay(owner.role, 'share:report')) return 'role'
  if (owner.entitlements.readOnly !== null || !owner.entitlements.features.reportSharing) return 'plan'
  if (!(await allowedDomains(deps, workspaceId)).includes(domainOf(email))) return 'domain'
  const wire = owner.scope.wire()
  const scope = Scope.forReader({
    ...{ workspaceId, userId: ownerId, epoch: wire.epoch, rights: sharedRights(rights, wire) },
  })
  return { ...owner, scope, email, isOutside: true, owner: ownerName }
}
