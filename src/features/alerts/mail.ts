import type { KeptGroup, StoredAlert } from './rows'
import { rightsOf } from '../../access/rights'
import { standingMember } from '../../access/standing'
import type { Standing } from '../../access/standing'
import type { OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { figureText } from '../../mail/figures'
import { mailEntry } from '../../mail/order'
import { alertPeriod, conditionWords, holdWords } from '../../shared/alert-words'
import type { ColumnFormat } from '../../shared/files'
import type { WorkspaceSettings } from '../../shared/workspaces'

export type Telling = 'opened' | 'resolved' | 'reminded'
export interface Told {
  kind: Telling
  group: KeptGroup
}
/** Groups named one by one in a mail. */
const NAMED_MAX = 12

/**
 * The mails that follow an evaluation: to each receiver one of each kind, however many groups it is about. Whoever has
 * other rights to the data than the owner gets one without a figure and without the name of a group (RLS-3).
 */
export async function mailsOf(
  deps: Pick<Deps, 'db' | 'clock'>,
  at: { alert: StoredAlert; owner: Standing; subjectName: string; format: ColumnFormat | null; told: readonly Told[] },
): Promise<OutboxEntry[]> {
  const { alert, owner, subjectName, format, told } = at
  const kinds = [...new Set(told.map(({ kind }) => kind))]
  if (kinds.length === 0) return []
  const { workspaceId } = alert
  const people = await Promise.all(alert.receivers.map((userId) => standingMember(deps, { workspaceId, userId })))
  return people.flatMap((person) => {
    if (!person || person.email === null || person.role === 'client') return []
    const to = person.email
    const mayRead = rightsOf(person.scope) === rightsOf(owner.scope)
    return kinds.map((kind) => {
      const groups = told.filter((one) => one.kind === kind).map(({ group }) => group)
      const about = { template: 'alert' as const, to, event: kind, workspace: owner.workspaceName, alertId: alert.id }
      const plain = { name: alert.name, subject: subjectName, count: groups.length, grouped: alert.by !== null }
      const words = { condition: mayRead ? wordsOf(alert, format, owner.settings) : null }
      const lines = mayRead ? linesOf({ alert, groups, subjectName, format, settings: owner.settings }) : null
      return mailEntry(
        { ...about, ...plain, ...words, lines },
        { key: `alert:${alert.id}:${alert.serial + 1}:${kind}:${person.userId}`, workspaceId },
      )
    })
  })
}

function wordsOf(alert: StoredAlert, format: ColumnFormat | null, settings: WorkspaceSettings): string {
  const percent = (part: number): string => figureText(part, { style: 'percent' }, settings)
  const measure = (value: number): string => figureText(value, format, settings)
  return [conditionWords(alert.condition, alert.grain, { measure, percent }), holdWords(alert)]
    .filter((words) => words !== null)
    .join(' ')
}

interface Lines {
  alert: StoredAlert
  groups: readonly KeptGroup[]
  subjectName: string
  format: ColumnFormat | null
  settings: WorkspaceSettings
}

function linesOf({ alert, groups, subjectName, format, settings }: Lines): string[] {
  const { condition, grain } = alert
  const lines = groups.slice(0, NAMED_MAX).map(({ label, value, compared, period }) => {
    const when = period === null ? '' : ` in ${alertPeriod(period, grain)}`
    const before = condition.kind === 'change' && condition.against === 'year' ? 'the year before' : 'before'
    const held = condition.kind === 'change' ? `, ${figureText(compared, format, settings)} ${before}` : ''
    const said =
      condition.kind === 'band' && compared !== null
        ? `; the forecast said ${figureText(compared, format, settings)}`
        : ''
    return `${label ?? subjectName}: ${figureText(value, format, settings)}${when}${held}${said}.`
  })
  const rest = groups.length - lines.length
  return rest > 0 ? [...lines, `And ${rest} more.`] : lines
}
