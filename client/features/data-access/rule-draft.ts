import type { AccessPolicyInput } from '../../../src/shared/data-access/data-access'
import type {
  AccessFilter,
  AccessPolicy,
  AccessResource,
  AccessRule,
  AccessRuleInput,
  AccessSubject,
  ColumnGrant,
  RestrictedResource,
} from '../../../src/shared/data-access/rules'
import type { ColumnKey } from '../../../src/shared/data-sources/files'
import { ROLES } from '../../../src/shared/permissions'
import type { BuilderDataset } from '../../lib/query-builder/catalogue'
import { toAccessFilter, toRuleFilterDraft, type RuleFilterDraft } from './rule-filter-draft'

/** A rule while it is being written. `id` null: a new one. */
export interface RuleDraft {
  id: string | null
  name: string
  subject: { kind: AccessSubject['kind']; value: string | null }
  resource: { kind: AccessResource['kind']; id: string | null }
  /** Only for those whom a rule allows it; of datasets and metrics. */
  restricted: boolean
  effect: AccessRule['effect']
  rows: AccessRule['rows']
  filters: RuleFilterDraft[]
  columns: { key: ColumnKey | null; grant: ColumnGrant }[]
  active: boolean
}

export const NEW_RULE: RuleDraft = {
  ...{ id: null, name: '', effect: 'allow', rows: 'all', restricted: false, active: true },
  subject: { kind: 'group', value: null },
  resource: { kind: 'dataset', id: null },
  filters: [],
  columns: [],
}

const subjectDraft = (subject: AccessSubject): RuleDraft['subject'] => ({
  kind: subject.kind,
  value: subject.kind === 'everyone' ? null : subject.kind === 'role' ? subject.role : subject.id,
})
export function toSubject({ kind, value }: RuleDraft['subject']): AccessSubject | null {
  if (kind === 'everyone') return { kind }
  if (kind === 'role') {
    const role = ROLES.find((one) => one === value)
    return role ? { kind, role } : null
  }
  return value === null ? null : { kind, id: value }
}

const isSame = (one: { kind: string; id: string | null }, other: { kind: string; id: string | null }): boolean =>
  one.kind === other.kind && one.id === other.id
export const isRestricted = (
  { restricted }: Pick<AccessPolicy, 'restricted'>,
  resource: { kind: string; id: string | null },
): boolean => restricted.some((one) => isSame(one, resource))

/** A stored rule in the editor's form. `dataset`: whose columns it is about; null for other resources. */
export function toRuleDraft(rule: AccessRule, policy: AccessPolicy, dataset: BuilderDataset | null): RuleDraft {
  const { id, name, effect, rows, columns, active } = rule
  const resource = { kind: rule.resource.kind, id: rule.resource.id }
  return {
    ...{ id, name, effect, rows, columns, active, resource },
    subject: subjectDraft(rule.subject),
    restricted: isRestricted(policy, resource),
    filters: rule.filters.map((filter) =>
      dataset ? toRuleFilterDraft(filter, dataset) : { kind: 'kept' as const, filter },
    ),
  }
}

/** Other things have other columns: what named them goes. */
export function withResource(draft: RuleDraft, resource: RuleDraft['resource'], policy: AccessPolicy): RuleDraft {
  if (isSame(draft.resource, resource)) return draft
  const isDataset = resource.kind === 'dataset'
  return {
    ...draft,
    resource,
    restricted: isRestricted(policy, resource),
    rows: isDataset ? draft.rows : 'all',
    // What is open to all can only be taken away.
    effect: resource.kind === 'category' ? 'hide' : draft.effect,
    filters: [],
    columns: [],
  }
}

/** What a rule must have before its effect can be asked for; by field, one sentence each. */
export type RuleProblems = Partial<Record<'name' | 'subject' | 'resource' | 'filters' | 'columns', string>>

function problemsOf(draft: RuleDraft, filters: readonly (AccessFilter | string)[]): RuleProblems {
  const missing = filters.find((filter) => typeof filter === 'string')
  const named = draft.columns.flatMap(({ key }) => key ?? [])
  return {
    ...(draft.name.trim() === '' ? { name: 'Enter a name.' } : {}),
    ...(toSubject(draft.subject) ? {} : { subject: 'Choose who the rule is for.' }),
    ...(draft.resource.id === null ? { resource: 'Choose what the rule is about.' } : {}),
    ...(draft.rows === 'some' && filters.length === 0 ? { filters: 'Add a condition, or choose all rows.' } : {}),
    ...(missing === undefined ? {} : { filters: missing }),
    ...(draft.rows === 'unchanged' && named.length === 0 ? { columns: 'Add a column.' } : {}),
    ...(named.length < draft.columns.length ? { columns: 'Choose a column.' } : {}),
    ...(new Set(named).size < named.length ? { columns: 'Choose each column once.' } : {}),
  }
}

/** The rule of a draft, or what it lacks. */
export function toRule(
  draft: RuleDraft,
  dataset: BuilderDataset | null,
): { rule: AccessRuleInput } | { problems: RuleProblems } {
  const filters =
    draft.rows === 'some' ? draft.filters.map((filter) => (dataset ? toAccessFilter(filter, dataset) : '')) : []
  const problems = problemsOf(draft, filters)
  const subject = toSubject(draft.subject)
  const { id, kind } = draft.resource
  if (Object.keys(problems).length > 0 || !subject || id === null) return { problems }
  const { name, effect, rows, active } = draft
  const rule = {
    ...{ name: name.trim(), subject, resource: { kind, id }, effect, rows, active },
    filters: filters.filter((filter) => typeof filter !== 'string'),
    columns: draft.columns.flatMap(({ key, grant }) => (key === null ? [] : [{ key, grant }])),
  }
  return { rule }
}

/** Whether a rule lets somebody who changes rules see all of it. */
function isForManagers({ subject, effect, rows, active }: AccessRuleInput): boolean {
  const isOfRole = subject.kind === 'role' && (subject.role === 'owner' || subject.role === 'admin')
  return (subject.kind === 'everyone' || isOfRole) && effect === 'allow' && rows === 'all' && active
}

/**
 * The policy with an open or restricted dataset or metric; nothing else has a stance. Owners get a rule for what becomes
 * restricted, where none leaves it to them: somebody has to see all data.
 */
export function withStance(
  policy: AccessPolicyInput,
  resource: RuleDraft['resource'],
  { restricted, name }: { restricted: boolean; name: string },
): AccessPolicyInput {
  const { kind, id } = resource
  if ((kind !== 'dataset' && kind !== 'metric') || id === null) return policy
  const made: RestrictedResource = { kind, id }
  const others = policy.restricted.filter((one) => !isSame(one, made))
  if (!restricted) return { ...policy, restricted: others }
  const isNew = others.length === policy.restricted.length
  const isLeft = policy.rules.some((rule) => isSame(rule.resource, made) && isForManagers(rule))
  const owners: AccessRuleInput = {
    ...{ name: `${name} for owners`.slice(-80), effect: 'allow', rows: 'all', active: true },
    ...{ subject: { kind: 'role', role: 'owner' }, resource: made, filters: [], columns: [] },
  }
  return {
    ...policy,
    restricted: [...others, made],
    rules: isNew && !isLeft ? [...policy.rules, owners] : policy.rules,
  }
}

/** The policy with a rule in its place; one that is gone meanwhile is added anew. */
export function withRule(policy: AccessPolicy, id: string | null, rule: AccessRuleInput): AccessPolicyInput {
  const isKnown = policy.rules.some((one) => one.id === id)
  if (id === null || !isKnown) return { ...policy, rules: [...policy.rules, rule] }
  return { ...policy, rules: policy.rules.map((one) => (one.id === id ? { id, ...rule } : one)) }
}
export const withoutRule = (policy: AccessPolicy, id: string): AccessPolicyInput => ({
  ...policy,
  rules: policy.rules.filter((one) => one.id !== id),
})
