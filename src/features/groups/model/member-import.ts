import { createCsvReader } from '../../../formats/csv/csv-reader'
import { detectDialect } from '../../../formats/csv/dialect'
import { ProductError } from '../../../shared/errors'
import { GROUP_MEMBERS_MAX, USER_GROUPS_MAX, type GroupImportLine } from '../../../shared/groups'
import { nameKey, nameSchema } from '../../../shared/field-schemas'
import { canonicalEmail } from '../../../shared/session'

/** One line of a list of members, as it was written. */
export interface ParsedLine {
  line: number
  group: string
  email: string
}
/** So many people in so many groups are a file's worth; more is another file. */
const LINES_MAX = 2_000
const SEP_LINE = /^\ufeff?"?sep=.\r?\n/i
const EMAIL_HEADING =
  /^(e-?mail|mail|address|e-?mail address|member|person|user|user name|e-?post|e-?postadress|adress)$/i
const GROUP_HEADING = /^(groups?|group name|user groups?|teams?|departments?|grupp(er)?|avdelning(ar)?)$/i

interface ListColumns {
  group: number
  email: number
}
/** Without headings: a group, then an address. */
const DEFAULT_COLUMNS: ListColumns = { group: 0, email: 1 }

/** Which columns a line of headings names, in any order and beside others; null for a line of the list itself. */
function columnsOfHeadings(cells: readonly string[]): ListColumns | null {
  const headings = cells.map((cell) => cell.trim())
  const email = headings.findIndex((cell) => EMAIL_HEADING.test(cell))
  if (email === -1 || headings.some((cell) => cell.includes('@'))) return null
  const group = headings.findIndex((cell, at) => at !== email && GROUP_HEADING.test(cell))
  return { email, group: group === -1 ? (email === 0 ? 1 : 0) : group }
}

/** Reads groups and addresses with any separator and quotes, in the order that a first line of headings says. */
export function parseMemberList(csv: string): ParsedLine[] {
  const head = new TextEncoder().encode(csv)
  const skipLines = SEP_LINE.test(csv) ? 1 : 0
  const encoding = 'utf-8'
  const dialect = detectDialect({ head, whole: true, encoding }, skipLines === 1 ? {} : { skipLines })
  const { delimiter, quote, escape, skipInitialSpace } = dialect
  const reading = { delimiter, quote, escape, ...(skipInitialSpace ? { skipInitialSpace } : {}) }
  const lines: ParsedLine[] = []
  let columns = DEFAULT_COLUMNS
  let isFirst = true
  const reader = createCsvReader({
    settings: { ...reading, encoding, skipLines, header: false },
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => {
      const headings = isFirst ? columnsOfHeadings(cells) : null
      isFirst = false
      if (headings) {
        columns = headings
        return
      }
      const [group, email] = [cells[columns.group] ?? '', cells[columns.email] ?? '']
      if (group.trim() === '' && email.trim() === '') return
      if (lines.length === LINES_MAX) throw new ProductError('too_large', { what: 'lines', max: LINES_MAX })
      lines.push({ line, group: group.normalize('NFC').trim().slice(0, 200), email: email.trim().slice(0, 320) })
    },
  })
  reader.push(head)
  reader.end()
  return lines
}

/** What a list is held against. Groups go by the key of their name, people by their address. */
export interface ImportSnapshot {
  groups: Map<string, { id: string; name: string; byHand: number }>
  people: Map<string, string>
  /** `<group id> <user id>` of everybody who belongs to a group already. */
  memberships: Set<string>
}
interface PlannedGroupChange {
  key: string
  name: string
  /** Null: it is made. */
  id: string | null
  userIds: string[]
}
export interface ImportPlan {
  lines: GroupImportLine[]
  /** Groups that are made or get members. */
  groups: PlannedGroupChange[]
}

/** What becomes of every line, in order: a line sees what the lines before it would have done. */
export function planMemberImport(listed: ParsedLine[], state: ImportSnapshot): ImportPlan {
  const planned = new Map<string, PlannedGroupChange>()
  const countNewGroups = (): number => [...planned.values()].filter(({ id }) => id === null).length
  const lines = listed.map((line): GroupImportLine => {
    const name = nameSchema.safeParse(line.group)
    const email = canonicalEmail(line.email)
    const key = nameKey(line.group)
    const known = state.groups.get(key)
    const shown = { ...line, group: known?.name ?? planned.get(key)?.name ?? line.group }
    const answer = (outcome: GroupImportLine['outcome']): GroupImportLine => ({
      ...shown,
      outcome,
      newGroup: outcome === 'added' && !known,
    })
    if (!name.success || email === null) return answer('invalid')
    const userId = state.people.get(email)
    if (userId === undefined) return answer('unknown_person')
    const group = planned.get(key) ?? { key, name: name.data, id: known?.id ?? null, userIds: [] }
    if (group.userIds.includes(userId)) return answer('already')
    if (known && state.memberships.has(`${known.id} ${userId}`)) return answer('already')
    const isGroupFull = (known?.byHand ?? 0) + group.userIds.length >= GROUP_MEMBERS_MAX
    const isWorkspaceFull = !known && !planned.has(key) && state.groups.size + countNewGroups() >= USER_GROUPS_MAX
    if (isGroupFull || isWorkspaceFull) return answer('too_many')
    group.userIds.push(userId)
    planned.set(key, group)
    return answer('added')
  })
  return { lines, groups: [...planned.values()] }
}
