import type { z } from 'zod'
import { getGrouping, saveGrouping } from './service'
import type { Ask } from './service'
import { lookingOf } from './values'
import { ProductError } from '../../shared/errors'
import { readGroups, withGroups } from '../../shared/grouping-csv'
import { moveMembers, movesBetween } from '../../shared/grouping-edit'
import { eraAt, membersOf } from '../../shared/grouping-tree'
import { IMPORT_LINES_MAX } from '../../shared/groupings'
import type {
  Era,
  Grouping,
  ImportGroupingAnswer,
  importGroupingSchema,
  moveMembersSchema,
} from '../../shared/groupings'

/** The period that is meant: the one named, else the one of today. @throws ProductError `invalid_input` */
function eraOf(ask: Ask, grouping: Grouping, index: number | undefined): { at: number; era: Era } {
  const at = index ?? eraAt(grouping.eras, lookingOf(ask).calendar.today)
  const era = grouping.eras[at]
  if (!era) throw new ProductError('invalid_input', { fields: { era: 'There is no such period.' } })
  return { at, era }
}

/** @throws ProductError `version_conflict`, `limit_reached`, `invalid_input` when the group is not there */
export async function moveValues(
  ask: Ask,
  change: { id: string; input: z.output<typeof moveMembersSchema> },
): Promise<Grouping> {
  const { values, to, version, era: index } = change.input
  const before = await getGrouping(ask, change.id)
  const { at, era } = eraOf(ask, before, index)
  if (to !== null && !era.groups.some(({ id }) => id === to))
    throw new ProductError('invalid_input', { fields: { to: 'This group is not there any more.' } })
  const next: Grouping = { ...before, version, eras: before.eras.with(at, moveMembers(era, values, to)) }
  return saveGrouping(ask, { before, next, action: 'grouping.members', force: true })
}

/** @throws ProductError `too_large` past 20,000 lines, `file_unreadable` when nothing is in it; as when it is saved */
export async function importGroups(
  ask: Ask,
  change: { id: string; input: z.output<typeof importGroupingSchema> },
): Promise<ImportGroupingAnswer> {
  const { csv, dryRun, version, era: index } = change.input
  const before = await getGrouping(ask, change.id)
  if (before.version !== version) throw new ProductError('version_conflict', { current: before })
  const { at, era } = eraOf(ask, before, index)
  const read = readGroups(csv)
  const lines = read.lines.length + read.errors.length
  if (lines > IMPORT_LINES_MAX)
    throw new ProductError('too_large', { what: 'lines', size: lines, max: IMPORT_LINES_MAX })
  if (lines === 0)
    throw new ProductError(
      'file_unreadable',
      { reason: 'empty' },
      'Nothing is listed. Write a group and a value a line.',
    )
  const { era: next, errors, groupsMade } = withGroups(era, read, () => ask.deps.ids.next('grouped'))
  const { added, moved } = movesBetween(era, next, next.groups.flatMap(membersOf))
  const answer = { errors, lines, added, moved, groupsMade, dryRun }
  if (dryRun || errors.length > 0) return { ...answer, grouping: null }
  // The answer is of the file, not of the grouping: it is remembered as such.
  const reply = (grouping: unknown) => ask.reply({ ...answer, grouping })
  const change_ = { before, next: { ...before, version, eras: before.eras.with(at, next) }, action: 'grouping.import' }
  const grouping = await saveGrouping({ ...ask, reply }, { ...change_, force: true })
  return { ...answer, grouping }
}
