import { attributesOf } from './check-policy'
import { datasetView } from './model/dataset-view'
import { countRows } from './row-counts'
import { readAccessState, type AccessState } from './service'
import { dataAccessStore, type GuardedDataset } from './store'
import { dataRights, isAbout } from '../../identity/access/data-rights'
import type { NamedPerson } from '../../identity/access/people-store'
import { attributeValues, substituteFilters, type AttributeTable } from '../../identity/access/user-attributes'
import { FULL_RIGHTS } from '../../identity/scope'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import type { AccessExplanation, ExplainedRule, InspectAccessInput } from '../../shared/data-access/data-access'
import { BUILT_IN_ATTRIBUTES, type AccessRule } from '../../shared/data-access/rules'
import type { Filter } from '../../shared/query/plan'

/** Rules of which rows are counted for one look; the others are told without a number. */
const COUNTED_RULES_MAX = 40

/** Why somebody sees a dataset, or some of its rows, as they do. @throws ProductError `not_found` */
export async function inspectAccess(context: RequestContext, input: InspectAccessInput): Promise<AccessExplanation> {
  const [state, names] = await Promise.all([
    readAccessState(context),
    dataAccessStore(context.deps.db, context.scope).names(),
  ])
  const person = state.people.find(({ userId }) => userId === input.userId)
  const dataset = state.datasets.find(({ id }) => id === input.dataset)
  if (!person || !dataset) throw new ProductError('not_found')
  const { policy } = state
  const rights = dataRights(policy, person)
  const table = attributeValues(policy.attributes, person)
  const row = rowFilter(input)
  const view = datasetView(rights, dataset, dataset.rowCount)
  const rules = policy.rules.filter(({ resource }) => resource.id === dataset.id || resource.id === dataset.sourceId)
  const subjectNames = new Map(names.map(({ id, name }) => [id, name]))
  return {
    view: view.rows === 'rules' ? { ...view, count: await countRows(context, dataset.id, { rights }) } : view,
    restricted: policy.restricted.some(({ id }) => id === dataset.id),
    rules: await Promise.all(
      rules.map((rule, n) =>
        explainRule(context, rule, {
          ...{ person, table, dataset, names: subjectNames },
          row: n < COUNTED_RULES_MAX ? row : null,
        }),
      ),
    ),
    attributes: attributesAsked(rules, { state, person, table }),
    columns: columnsOf(dataset, { view, rules, person }),
    row: row && (await seenRows(context, { dataset, row, rights: view.rows === 'none' ? null : rights })),
  }
}

const rowFilter = ({ dataset, row }: InspectAccessInput): Filter | null =>
  row ? { field: { dataset, column: row.column }, any: [{ op: 'eq', value: row.value }] } : null

async function seenRows(
  context: RequestContext,
  at: { dataset: GuardedDataset; row: Filter; rights: Parameters<typeof countRows>[2]['rights'] | null },
): Promise<NonNullable<AccessExplanation['row']>> {
  const { dataset, row, rights } = at
  const found = await countRows(context, dataset.id, { rights: FULL_RIGHTS, filters: [row] })
  const rowFilters = rights?.rowFilters.filter((rule) => rule.dataset === dataset.id) ?? []
  const seen =
    rights && (await countRows(context, dataset.id, { rights: { ...FULL_RIGHTS, rowFilters }, filters: [row] }))
  return { found: found ?? 0, seen: seen ?? 0 }
}

async function explainRule(
  context: RequestContext,
  rule: AccessRule,
  at: {
    person: NamedPerson
    table: AttributeTable
    row: Filter | null
    dataset: GuardedDataset
    names: Map<string, string>
  },
): Promise<ExplainedRule> {
  const { id, name, effect, rows, active, subject } = rule
  const { person, table, row, dataset, names } = at
  const matches = isAbout(subject, person)
  const missing = attributesOf(rule).filter((key) => !table.has(key))
  const filters = substituteFilters(rule.filters, table)
  const isCounted = row && matches && active && rows !== 'unchanged'
  const rowsOfRule =
    isCounted && filters
      ? await countRows(context, dataset.id, { rights: FULL_RIGHTS, filters: [row, ...filters] })
      : null
  const called =
    subject.kind === 'group' ? (names.get(subject.id) ?? '') : subject.kind === 'role' ? subject.role : person.name
  return {
    ...{ id, name, effect, rows, active, missing, rowsOfRule },
    matches: matches ? { kind: subject.kind, name: subject.kind === 'everyone' ? '' : called } : null,
  }
}

function attributesAsked(
  rules: readonly AccessRule[],
  { state, person, table }: { state: AccessState; person: NamedPerson; table: AttributeTable },
): AccessExplanation['attributes'] {
  return [...new Set(rules.flatMap(attributesOf))].map((key) => {
    const values = [...(table.get(key) ?? [])]
    const attribute = state.policy.attributes.find((each) => each.key === key)
    const isBuiltIn = BUILT_IN_ATTRIBUTES.some((each) => each === key)
    const isOwn = person.values.some(
      ({ attributeId, holder }) =>
        attributeId === attribute?.id && holder.kind === 'member' && holder.id === person.userId,
    )
    const isOfGroups = person.values.some(
      ({ attributeId, holder }) =>
        attributeId === attribute?.id && holder.kind === 'group' && person.groupIds.includes(holder.id),
    )
    const from = values.length === 0 ? 'none' : isBuiltIn || isOwn ? 'member' : isOfGroups ? 'groups' : 'default'
    return { key, label: attribute?.label ?? key, values, from }
  })
}

function columnsOf(
  { columns }: GuardedDataset,
  { view, rules, person }: { view: AccessExplanation['view']; rules: readonly AccessRule[]; person: NamedPerson },
): AccessExplanation['columns'] {
  return columns.flatMap(({ key, label }) => {
    const naming = rules.filter(
      (rule) => rule.active && isAbout(rule.subject, person) && rule.columns.some((each) => each.key === key),
    )
    if (naming.length === 0) return []
    const masked = view.masked.find((each) => each.key === key)
    const grant = view.hidden.includes(key) ? 'hide' : (masked?.grant ?? 'show')
    return [{ key, label, grant, ruleIds: naming.map(({ id }) => id) }]
  })
}
