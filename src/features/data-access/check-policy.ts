import type { GuardedDataset } from './store'
import { substituteFilters, type AttributeTable } from '../../identity/access/user-attributes'
import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import { canonicalJson } from '../../lib/hash'
import { validatePlan } from '../../semantic/query-service'
import { ProductError } from '../../shared/errors'
import type { Ids } from '../../shared/ids'
import {
  BUILT_IN_ATTRIBUTES,
  isAttributeValue,
  type AccessCondition,
  type AccessPolicy,
  type AccessRule,
} from '../../shared/data-access/rules'
import type { accessPolicyInputSchema } from '../../shared/data-access/data-access'
import type { z } from 'zod'

/** What there is in a workspace for rules to name. */
export interface NamedThings {
  datasets: readonly GuardedDataset[]
  /** Ids of sources, metrics, categories, groups and members. */
  ids: ReadonlySet<string>
}

type PolicyInput = z.output<typeof accessPolicyInputSchema>
type Mistakes = Record<string, string>

/** The policy with an id for what is new, and the source of each dataset. */
export function completePolicy(
  input: PolicyInput,
  ids: Pick<Ids, 'next'>,
  datasets: readonly GuardedDataset[],
): AccessPolicy {
  const sourceOf = (id: string): { sourceId?: string } => {
    const known = datasets.find((each) => each.id === id)
    return known ? { sourceId: known.sourceId } : {}
  }
  return {
    rules: input.rules.map((rule) => ({
      ...rule,
      id: rule.id ?? ids.next('accessRule'),
      resource: rule.resource.kind === 'dataset' ? { ...rule.resource, ...sourceOf(rule.resource.id) } : rule.resource,
    })),
    restricted: input.restricted.map((each) => (each.kind === 'dataset' ? { ...each, ...sourceOf(each.id) } : each)),
    attributes: input.attributes.map((each) => ({ ...each, id: each.id ?? ids.next('attribute') })),
    tests: input.tests.map((each) => ({ ...each, id: each.id ?? ids.next('accessTest') })),
  }
}

/**
 * That what was added or changed can be asked: it names what is there, its conditions fit their columns, relations lead to
 * them, and it says something. What stays as it was stays, even where what it names is gone.
 * @throws ProductError `invalid_input`, a field for each mistake
 */
export async function assertPolicy(
  { deps, scope }: { deps: Pick<Deps, 'db' | 'warehouse'>; scope: Scope },
  { before, after, things }: { before: AccessPolicy; after: AccessPolicy; things: NamedThings },
): Promise<void> {
  const mistakes: Mistakes = { ...attributeMistakes(after), ...duplicateMistakes(after) }
  const known = new Set(before.rules.map((rule) => canonicalJson(rule)))
  for (const [i, rule] of after.rules.entries()) {
    if (known.has(canonicalJson(rule))) continue
    const found = ruleMistakes(rule, { policy: after, things })
    const asked = Object.keys(found).length > 0 ? {} : await filterMistake({ deps, scope }, rule, after)
    for (const [at, message] of Object.entries({ ...found, ...asked })) mistakes[`rules.${i}.${at}`] = message
  }
  if (Object.keys(mistakes).length > 0) throw new ProductError('invalid_input', { fields: mistakes })
}

function attributeMistakes({ attributes }: AccessPolicy): Mistakes {
  const taken = new Set<string>(BUILT_IN_ATTRIBUTES)
  const mistakes: Mistakes = {}
  for (const [i, { key, type, multiple, defaults }] of attributes.entries()) {
    if (taken.has(key)) mistakes[`attributes.${i}.key`] = 'Name already in use. Enter another name.'
    if (!multiple && defaults.length > 1) mistakes[`attributes.${i}.defaults`] = 'Enter one value.'
    if (defaults.some((value) => typeof value !== (type === 'number' ? 'number' : 'string')))
      mistakes[`attributes.${i}.defaults`] = type === 'number' ? 'Enter numbers.' : 'Enter text.'
    taken.add(key)
  }
  return mistakes
}

/** Ids come from the server: one that stands twice would be two rules under one name. */
function duplicateMistakes({ rules, attributes, tests }: AccessPolicy): Mistakes {
  const mistakes: Mistakes = {}
  for (const [kind, items] of Object.entries({ rules, attributes, tests })) {
    const seen = new Set<string>()
    for (const [i, { id }] of items.entries()) {
      if (seen.has(id)) mistakes[`${kind}.${i}.id`] = 'Already in the list.'
      seen.add(id)
    }
  }
  return mistakes
}

function ruleMistakes(rule: AccessRule, { policy, things }: { policy: AccessPolicy; things: NamedThings }): Mistakes {
  const { subject, resource, effect, rows, filters, columns } = rule
  const mistakes: Mistakes = {}
  if ('id' in subject && !things.ids.has(subject.id)) mistakes['subject'] = 'No longer exists. Choose another.'
  const dataset = things.datasets.find(({ id }) => id === resource.id)
  const exists = resource.kind === 'dataset' ? dataset !== undefined : things.ids.has(resource.id)
  if (!exists) mistakes['resource'] = 'No longer exists. Choose another.'
  if (resource.kind === 'category' && effect === 'allow') mistakes['effect'] = 'Categories are open. Choose Hide.'
  if (resource.kind !== 'dataset' && rows !== 'all') mistakes['rows'] = 'Only datasets have rows.'
  if (resource.kind !== 'dataset' && columns.length > 0) mistakes['columns'] = 'Only datasets have columns.'
  if (rows === 'some' && filters.length === 0) mistakes['filters'] = 'Add a condition.'
  if (rows !== 'some' && filters.length > 0) mistakes['filters'] = 'Conditions need “Some rows”.'
  if (rows === 'unchanged' && columns.length === 0) mistakes['columns'] = 'Choose rows or columns.'
  const lost = columns.find(({ key }) => !dataset?.columns.some((column) => column.key === key))
  if (dataset && lost) mistakes['columns'] = 'Column not found.'
  const keys = new Set<string>([...BUILT_IN_ATTRIBUTES, ...policy.attributes.map(({ key }) => key)])
  const unknown = attributesOf(rule).find((key) => !keys.has(key))
  if (unknown !== undefined) mistakes['filters'] = `Attribute “${unknown}” not found.`
  return mistakes
}

/** Keys of the attributes that conditions of a rule ask. */
export const attributesOf = ({ filters }: Pick<AccessRule, 'filters'>): string[] => [
  ...new Set(filters.flatMap(({ any }) => any.flatMap(attributesOfCondition))),
]
function attributesOfCondition(condition: AccessCondition): string[] {
  const values = 'values' in condition ? condition.values : 'value' in condition ? [condition.value] : []
  return values.flatMap((value) => (isAttributeValue(value) ? [value.attribute] : []))
}

/** Asked as any other conditions are, with a value for each attribute. */
async function filterMistake(
  { deps, scope }: { deps: Pick<Deps, 'db' | 'warehouse'>; scope: Scope },
  { resource, filters }: AccessRule,
  { attributes }: AccessPolicy,
): Promise<Mistakes> {
  if (filters.length === 0) return {}
  const sample: AttributeTable = new Map([
    ...BUILT_IN_ATTRIBUTES.map((key): [string, string[]] => [key, ['x']]),
    ...attributes.map(({ key, type }): [string, (string | number)[]] => [key, [type === 'number' ? 0 : 'x']]),
  ])
  try {
    await validatePlan(deps, scope, {
      ...{ v: 3, kind: 'aggregate', dataset: resource.id, dimensions: [] },
      measures: [{ kind: 'column', agg: 'count', dataset: resource.id }],
      filters: substituteFilters(filters, sample) ?? [],
    })
    return {}
  } catch (error) {
    if (error instanceof ProductError && error.code !== 'busy') return { filters: error.message }
    throw error
  }
}
