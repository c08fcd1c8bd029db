import type { ContributionTable, DetectedFinding, FindingMember } from '../../shared/findings'
import type { Cell, QueryResult } from '../../shared/query/result'
import type { QueryPlan } from '../../shared/query/plan'
import type { Breakdown } from './breakdowns'
import { orNullIfRefused } from './refusals'

/** Names of members that are numbers of something, by the key of their dimension. */
export type MemberNames = Map<string, Map<string, string>>

const NAMES_MAX = 5_000
const namesPlan = ({ key, name }: NonNullable<Breakdown['names']>): QueryPlan => ({
  v: 3,
  kind: 'aggregate',
  dataset: key.dataset,
  measures: [{ kind: 'column', agg: 'count', dataset: key.dataset }],
  dimensions: [{ field: key, label: name }],
  filters: [],
  limit: NAMES_MAX,
})

/** What the values of splits are called, of those that are numbers of something; one question each. */
export async function queryNames(
  service: { answer: (plan: QueryPlan) => Promise<Pick<QueryResult, 'columns'>> },
  splits: readonly Pick<Breakdown, 'key' | 'names'>[],
): Promise<MemberNames> {
  const found: MemberNames = new Map()
  for (const { key, names } of splits) {
    if (!names || found.has(key)) continue
    const answer = await orNullIfRefused(service.answer(namesPlan(names)))
    const own = Object.entries(answer?.columns[0]?.names?.of ?? {})
    found.set(key, new Map(own.map(([value, name]) => [value, withoutKey(name, value)])))
  }
  return found
}

/** What stands behind names that are alike goes: the number is told before them. */
function withoutKey(name: string, value: string): string {
  const apart = ` (${value})`
  return name.endsWith(apart) ? name.slice(0, -apart.length) : name
}

const nameOf = (names: MemberNames, dimension: string, value: Cell): { name?: string } => {
  const name = value === null ? undefined : names.get(dimension)?.get(String(value))
  return name === undefined ? {} : { name }
}
export const tableWithNames = <T extends ContributionTable>(table: T, names: MemberNames): T => ({
  ...table,
  lines: table.lines.map((line) =>
    line.member === undefined ? line : { ...line, ...nameOf(names, table.dimension, line.member) },
  ),
})

/** A finding with the names of its members beside their numbers. */
export function withNames(found: DetectedFinding, names: MemberNames): DetectedFinding {
  const named = (member: FindingMember): FindingMember => ({
    ...member,
    ...nameOf(names, member.dimension, member.value),
  })
  return {
    ...found,
    member: found.member && named(found.member),
    contributions: found.contributions.map((table) => tableWithNames(table, names)),
    sentence: found.sentence.map((part) => ('member' in part ? { member: named(part.member) } : part)),
  }
}
