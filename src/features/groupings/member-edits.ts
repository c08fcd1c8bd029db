import type { z } from 'zod'
import { getGrouping, saveGrouping } from './service'
import type { RequestContext } from '../../http/request-context'
import { withCalendar } from '../../semantic/calendar'
import { ProductError } from '../../shared/errors'
import { parseGroupCsv, applyGroupCsv } from '../../shared/groupings/csv'
import { moveMembers, membershipChangesBetween } from '../../shared/groupings/matching'
import { validityPeriodAt, namedMembers, IMPORT_LINES_MAX } from '../../shared/groupings/groupings'
import type {
  ValidityPeriod,
  Grouping,
  GroupingImportResult,
  importGroupingSchema,
  moveMembersSchema,
} from '../../shared/groupings/groupings'

/** The period that is meant: the one named, else the one of today. @throws ProductError `invalid_input` */
function validityPeriodOf(
  context: RequestContext,
  grouping: Grouping,
  index: number | undefined,
): { at: number; era: ValidityPeriod } {
  const at = index ?? validityPeriodAt(grouping.eras, withCalendar(context).calendar.today)
  const era = grouping.eras[at]
  if (!era) throw new ProductError('invalid_input', { fields: { era: 'Period not found.' } })
  return { at, era }
}

/** @throws ProductError `version_conflict`, `limit_reached`, `invalid_input` when the group is not there */
export async function moveValues(
  context: RequestContext,
  change: { id: string; input: z.output<typeof moveMembersSchema> },
): Promise<Grouping> {
  const { values, to, version, era: index } = change.input
  const before = await getGrouping(context, change.id)
  const { at, era } = validityPeriodOf(context, before, index)
  if (to !== null && !era.groups.some(({ id }) => id === to))
    throw new ProductError('invalid_input', { fields: { to: 'Group not found.' } })
  const next: Grouping = { ...before, version, eras: before.eras.with(at, moveMembers(era, values, to)) }
  return saveGrouping(context, { before, next, action: 'grouping.members', force: true })
}

/** @throws ProductError `too_large` past 20,000 lines, `file_unreadable` when nothing is in it; as when it is saved */
export async function importGroups(
  context: RequestContext,
  change: { id: string; input: z.output<typeof importGroupingSchema> },
): Promise<GroupingImportResult> {
  const { csv, dryRun, version, era: index } = change.input
  const before = await getGrouping(context, change.id)
  if (before.version !== version) throw new ProductError('version_conflict', { current: before })
  const { at, era } = validityPeriodOf(context, before, index)
  const read = parseGroupCsv(csv)
  const lines = read.lines.length + read.errors.length
  if (lines > IMPORT_LINES_MAX)
    throw new ProductError('too_large', { what: 'lines', size: lines, max: IMPORT_LINES_MAX })
  if (lines === 0) throw new ProductError('file_unreadable', { reason: 'empty' }, 'Enter a group and a value per line.')
  const { era: next, errors, groupsMade } = applyGroupCsv(era, read, () => context.deps.ids.next('grouped'))
  const { added, moved } = membershipChangesBetween(era, next, next.groups.flatMap(namedMembers))
  const answer = { errors, lines, added, moved, groupsMade, dryRun }
  if (dryRun || errors.length > 0) return { ...answer, grouping: null }
  // The answer is of the file, not of the grouping: it is remembered as such.
  const reply = (grouping: unknown) => context.reply({ ...answer, grouping })
  const update = { before, next: { ...before, version, eras: before.eras.with(at, next) }, action: 'grouping.import' }
  const grouping = await saveGrouping({ ...context, reply }, { ...update, force: true })
  return { ...answer, grouping }
}
