import { attributesOf } from './check-policy'
import { datasetView } from './model/dataset-view'
import { countEach } from './row-counts'
import { dataAccessStore, type GuardedDataset } from './store'
import { dataRights, isAbout } from '../../identity/access/data-rights'
import { readPolicy } from '../../identity/access/access-store'
import { readAccessPeople, type NamedPerson } from '../../identity/access/people-store'
import { attributeValues, substituteFilters, type AttributeTable } from '../../identity/access/user-attributes'
import { FULL_RIGHTS, type DataRights, type RowRule } from '../../scope'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import type { AccessExplanation, ExplainedRule, InspectAccessInput } from '../../shared/data-access/data-access'
import { BUILT_IN_ATTRIBUTES, type AccessPolicy, type AccessRule } from '../../shared/data-access/rules'
import type { Filter } from '../../shared/query/plan'

/** Rules of which rows are counted for one look; the others are told without a number. */
const COUNTED_RULES_MAX = 40

/** Somebody, a dataset, and the rules about it. */
interface InspectionSubject {
  policy: AccessPolicy
  person: NamedPerson
  dataset: GuardedDataset
  rules: readonly AccessRule[]
  rights: DataRights
  table: AttributeTable
}

/** Why somebody sees a dataset, or some of its rows, as they do. @throws ProductError `not_found` */
export async function inspectAccess(context: RequestContext, input: InspectAccessInput): Promise<AccessExplanation> {
  const { deps, scope } = context
  const store = dataAccessStore(deps.db, scope)
  const [inspected, names] = await Promise.all([readInspected(context, input), store.names()])
  const { policy, person, dataset, rules, rights } = inspected
  const row = rowFilter(input)
  const view = datasetView(rights, dataset, dataset.rowCount)
  const seen = view.rows === 'none' ? null : { ...FULL_RIGHTS, rowFilters: ownRules(rights, dataset) }
  const [[count = null], [ofRow = null], [found = null, ...ofRules]] = await Promise.all([
    // By itself, so that its answer is kept for the next row that is asked about.
    seen && view.rows === 'rules' ? countEach(context, dataset.id, { rights: seen, conditions: [[]] }) : [],
    seen && row ? countEach(context, dataset.id, { rights: seen, filters: [row], conditions: [[]] }) : [],
    row
      ? countEach(context, dataset.id, { rights: FULL_RIGHTS, filters: [row], conditions: conditionsOf(inspected) })
      : [],
  ])
  const countOf = new Map(countedRules(inspected).map(({ rule }, at) => [rule.id, ofRules[at] ?? null]))
  const subjectNames = new Map(names.map(({ id, name }) => [id, name]))
  return {
    view: view.rows === 'rules' ? { ...view, count } : view,
    restricted: policy.restricted.some(({ id }) => id === dataset.id),
    rules: rules.map((rule) =>
      explainRule(rule, inspected, { names: subjectNames, count: countOf.get(rule.id) ?? null }),
    ),
    attributes: attributesAsked(inspected),
    columns: columnsOf(dataset, { view, rules, person }),
    row: row && { found: found ?? 0, seen: ofRow ?? 0 },
  }
}

/** Only who is asked about is read: there may be a thousand others. */
async function readInspected(
  { deps, scope, membership }: RequestContext,
  input: InspectAccessInput,
): Promise<InspectionSubject> {
  const { workspaceId } = scope
  const { features } = membership.entitlements
  const [{ policy }, [person], datasets] = await Promise.all([
    readPolicy(deps.db, workspaceId),
    readAccessPeople(deps.db, { workspaceId, features, only: input.userId }),
    dataAccessStore(deps.db, scope).datasets(),
  ])
  const dataset = datasets.find(({ id }) => id === input.dataset)
  if (!person || !dataset) throw new ProductError('not_found')
  const rules = policy.rules.filter(({ resource }) => resource.id === dataset.id || resource.id === dataset.sourceId)
  const table = attributeValues(policy.attributes, person)
  return { policy, person, dataset, rules, rights: dataRights(policy, person), table }
}

const ownRules = ({ rowFilters }: DataRights, { id }: GuardedDataset): RowRule[] =>
  rowFilters.filter(({ dataset }) => dataset === id)

const rowFilter = ({ dataset, row }: InspectAccessInput): Filter | null =>
  row ? { field: { dataset, column: row.column }, any: [{ op: 'eq', value: row.value }] } : null

/** The first rules that say something of this person's rows, with what they ask. */
const countedRules = ({ rules, person, table }: InspectionSubject): { rule: AccessRule; filters: Filter[] }[] =>
  rules.slice(0, COUNTED_RULES_MAX).flatMap((rule) => {
    const isCounted = isAbout(rule.subject, person) && rule.active && rule.rows !== 'unchanged'
    const filters = isCounted ? substituteFilters(rule.filters, table) : null
    return filters ? [{ rule, filters }] : []
  })

/** No more than that, then what each rule that counts asks. */
const conditionsOf = (inspected: InspectionSubject): Filter[][] => [
  [],
  ...countedRules(inspected).map(({ filters }) => filters),
]

function explainRule(
  rule: AccessRule,
  { person, table }: InspectionSubject,
  { names, count }: { names: Map<string, string>; count: number | null },
): ExplainedRule {
  const { id, name, effect, rows, active, subject } = rule
  const missing = attributesOf(rule).filter((key) => !table.has(key))
  const called =
    subject.kind === 'group' ? (names.get(subject.id) ?? '') : subject.kind === 'role' ? subject.role : person.name
  return {
    ...{ id, name, effect, rows, active, missing, rowsOfRule: count },
    matches: isAbout(subject, person) ? { kind: subject.kind, name: subject.kind === 'everyone' ? '' : called } : null,
  }
}

function attributesAsked({ rules, policy, person, table }: InspectionSubject): AccessExplanation['attributes'] {
  return [...new Set(rules.flatMap(attributesOf))].map((key) => {
    const values = [...(table.get(key) ?? [])]
    const attribute = policy.attributes.find((each) => each.key === key)
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
