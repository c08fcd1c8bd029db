import { alertStore, type StoredAlert } from './store'
import type { StoredGroup } from './stored-groups'
import { accessFingerprint, hasFullAccess } from '../../scope'
import { readMemberContext, type MemberContext } from '../../identity/member-context-store'
import type { OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { formatFigure } from '../../mail/format-figures'
import { formatShare } from '../../shared/figures/figures'
import { mailOutboxEntry } from '../../mail/queued-mail'
import { formatAlertPeriod, describeCondition, describeHold, yearEarlierLabel } from '../../shared/alerts'
import { subjectPrefix } from '../../shared/figures/subject-prefix'
import type { ColumnFormat } from '../../shared/data-sources/files'
import type { WorkspaceSettings } from '../../shared/workspaces/workspaces'

type AlertNotificationKind = 'opened' | 'resolved' | 'reminded'
export interface AlertNotification {
  kind: AlertNotificationKind
  group: StoredGroup
}
/** Groups named one by one in a mail. */
const GROUPS_NAMED_MAX = 12

/**
 * The mails that follow an evaluation: to each receiver one of each kind, however many groups it is about. Whoever has
 * other rights to the data than the owner gets one without a figure and without the name of a group, and whoever may not
 * know of the alert none (RLS-3).
 */
export async function alertMails(
  deps: Pick<Deps, 'db' | 'clock'>,
  at: {
    alert: StoredAlert
    owner: MemberContext
    subjectName: string
    format: ColumnFormat | null
    told: readonly AlertNotification[]
  },
): Promise<OutboxEntry[]> {
  const { alert, owner, subjectName, format, told } = at
  const kinds = [...new Set(told.map(({ kind }) => kind))]
  if (kinds.length === 0) return []
  const { workspaceId } = alert
  const people = await Promise.all(alert.receivers.map((userId) => readReceiver(deps, alert, userId)))
  return people.flatMap((person) => {
    if (!person || person.email === null || person.role === 'client' || !person.notifications.alerts) return []
    // An owner without a proven address reaches nobody: what the alert says is their words.
    if (owner.email === null && person.userId !== owner.userId) return []
    const to = person.email
    const mayRead = accessFingerprint(person.scope) === accessFingerprint(owner.scope)
    return kinds.map((kind) => {
      const groups = told.filter((one) => one.kind === kind).map(({ group }) => group)
      const about = { template: 'alert' as const, to, event: kind, workspace: owner.workspaceName, alertId: alert.id }
      const plain = { name: alert.name, subject: subjectName, count: groups.length, grouped: alert.by !== null }
      const words = { condition: mayRead ? conditionText(alert, format, owner.settings) : null }
      const lines = mayRead ? groupLines({ alert, groups, subjectName, format, settings: owner.settings }) : null
      return mailOutboxEntry(
        { ...about, ...plain, ...words, lines, reminds: alert.reminderDays !== null },
        { key: `alert:${alert.id}:${alert.serial + 1}:${kind}:${person.userId}`, workspaceId },
      )
    })
  })
}

/** Null for whoever is no member any more, and where what it watches does not exist for them. */
async function readReceiver(
  deps: Pick<Deps, 'db' | 'clock'>,
  { workspaceId, id }: StoredAlert,
  userId: string,
): Promise<MemberContext | null> {
  const person = await readMemberContext(deps, { workspaceId, userId })
  if (!person || hasFullAccess(person.scope)) return person
  return (await alertStore(deps.db, person.scope).get(id)) && person
}

function conditionText(alert: StoredAlert, format: ColumnFormat | null, settings: WorkspaceSettings): string {
  const percent = (part: number): string => formatShare(part, settings.numberLocale)
  const measure = (value: number): string => formatFigure(value, format, settings)
  const points = (part: number): string => `${formatFigure(part * 100, null, settings)}\u00a0pp`
  const isPercent = format?.style === 'percent'
  return [describeCondition(alert.condition, alert.grain, { measure, percent, points, isPercent }), describeHold(alert)]
    .filter((words) => words !== null)
    .join(' ')
}

interface GroupLinesInput {
  alert: StoredAlert
  groups: readonly StoredGroup[]
  subjectName: string
  format: ColumnFormat | null
  settings: WorkspaceSettings
}

function groupLines({ alert, groups, subjectName, format, settings }: GroupLinesInput): string[] {
  const { grain } = alert
  const figure = (value: number | null): string => formatFigure(value, format, settings)
  const lines = groups.slice(0, GROUPS_NAMED_MAX).map(({ label, value, compared, period }) => {
    const when = period === null ? '' : ` ${grain === 'day' ? 'on' : 'in'} ${formatAlertPeriod(period, grain)}`
    return `${subjectPrefix(label ?? subjectName)} ${figure(value)}${when}${comparedText(alert, compared, figure)}.`
  })
  const rest = groups.length - lines.length
  return rest > 0 ? [...lines, `${rest} more.`] : lines
}

/** What the figure is held against: the period before it, or what was forecast. */
function comparedText(
  { condition, grain }: Pick<StoredAlert, 'condition' | 'grain'>,
  compared: number | null,
  figure: (value: number | null) => string,
): string {
  if (condition.kind === 'change')
    return ` vs ${figure(compared)} ${condition.against === 'year' ? yearEarlierLabel(grain) : 'in the previous period'}`
  return condition.kind === 'band' && compared !== null ? ` vs ${figure(compared)} forecast` : ''
}
