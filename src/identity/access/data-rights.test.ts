import { describe, expect, it } from 'vitest'
import { dataRights, type AccessPerson } from './data-rights'
import { FULL_RIGHTS } from '../../scope'
import { NO_POLICY, type AccessPolicy, type AccessRule } from '../../shared/data-access/rules'

const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(20, '0')}`
const [DATASET, SOURCE, GROUP, ME] = [idOf('ds', 1), idOf('src', 1), idOf('grp', 1), idOf('usr', 1)]
const PERSON: AccessPerson = { userId: ME, role: 'analyst', email: 'me@example.com', groupIds: [GROUP], values: [] }
const rule = (more: Partial<AccessRule>): AccessRule => ({
  ...{ id: idOf('acr', 1), name: 'Rule', subject: { kind: 'everyone' }, effect: 'allow', rows: 'all', active: true },
  ...{ resource: { kind: 'dataset', id: DATASET, sourceId: SOURCE }, filters: [], columns: [] },
  ...more,
})
const region = (value: string | { attribute: string }, more: Partial<AccessRule> = {}): AccessRule =>
  rule({
    rows: 'some',
    filters: [{ field: { dataset: DATASET, column: 'c1' }, any: [{ op: 'eq', value }] }],
    ...more,
  })
const rightsOf = (rules: AccessRule[], policy: Partial<AccessPolicy> = {}, person: Partial<AccessPerson> = {}) =>
  dataRights({ ...NO_POLICY, rules, ...policy }, { ...PERSON, ...person })
const RESTRICTED = { restricted: [{ kind: 'dataset' as const, id: DATASET, sourceId: SOURCE }] }
const filtered = (anyOf: unknown, noneOf: unknown = []) => [{ dataset: DATASET, anyOf, noneOf }]
const conditions = (...values: string[]) => [
  [{ field: { dataset: DATASET, column: 'c1' }, any: values.map((value) => ({ op: 'eq', value })) }],
]

describe('rights of a person', () => {
  it('are full without rules, and where no rule is about them', () => {
    expect(rightsOf([])).toBe(FULL_RIGHTS)
    const others: AccessRule['subject'][] = [
      { kind: 'role', role: 'viewer' },
      { kind: 'group', id: idOf('grp', 2) },
      { kind: 'member', id: idOf('usr', 2) },
    ]
    for (const subject of others) expect(rightsOf([region('North', { subject })])).toEqual(FULL_RIGHTS)
    expect(rightsOf([region('North', { active: false })])).toEqual(FULL_RIGHTS)
  })

  it('put rows of several rules together, those of one column as one condition', () => {
    expect(rightsOf([region('North'), region('South')]).rowFilters).toEqual(filtered(conditions('North', 'South')))
    expect(rightsOf([region('North'), rule({})]).rowFilters).toEqual([])
  })

  it('take away what is hidden, whatever is allowed', () => {
    expect(rightsOf([rule({}), rule({ effect: 'hide' })]).hiddenDatasets).toEqual([DATASET])
    expect(rightsOf([rule({}), region('North', { effect: 'hide' })]).rowFilters).toEqual(
      filtered('all', conditions('North')),
    )
    const source = { kind: 'source', id: SOURCE } as const
    expect(rightsOf([rule({}), rule({ effect: 'hide', resource: source })]).hiddenSources).toEqual([SOURCE])
  })

  it('of what is restricted are none without a rule that allows it, itself or its source', () => {
    expect(rightsOf([], RESTRICTED).hiddenDatasets).toEqual([DATASET])
    expect(rightsOf([rule({})], RESTRICTED).hiddenDatasets).toEqual([])
    const source = { kind: 'source', id: SOURCE } as const
    expect(rightsOf([rule({ resource: source })], RESTRICTED).hiddenDatasets).toEqual([])
    const columnsOnly = rule({ rows: 'unchanged', columns: [{ key: 'c1', grant: 'empty' }] })
    expect(rightsOf([columnsOnly], RESTRICTED).hiddenDatasets).toEqual([DATASET])
  })

  it('let no row through by an attribute without a value, shown or hidden', () => {
    const attributes = [
      { id: idOf('atr', 1), key: 'region', label: 'Region', type: 'text' as const, multiple: true, defaults: [] },
    ]
    const rules = (effect: AccessRule['effect']) => [region({ attribute: 'region' }, { effect })]
    expect(rightsOf(rules('allow'), { attributes }).rowFilters).toEqual(filtered([]))
    expect(rightsOf(rules('hide'), { attributes }).rowFilters).toEqual(filtered([]))
    expect(rightsOf([region({ attribute: 'unknown' })]).rowFilters).toEqual(filtered([]))
    expect(rightsOf([region({ attribute: 'email' })], {}, { email: null }).rowFilters).toEqual(filtered([]))
    expect(rightsOf([region({ attribute: 'email' })]).rowFilters).toEqual(filtered(conditions('me@example.com')))
  })

  it('show a column as the most open rule says, unless a rule takes it away', () => {
    const column = (grant: AccessRule['columns'][number]['grant'], effect: AccessRule['effect'] = 'allow') =>
      rule({ rows: 'unchanged', effect, columns: [{ key: 'c2', grant }] })
    const field = { dataset: DATASET, column: 'c2' }
    expect(rightsOf([column('empty'), column('lastFour')]).masked).toEqual([{ field, mask: 'lastFour' }])
    expect(rightsOf([column('empty'), column('show')])).toEqual(FULL_RIGHTS)
    expect(rightsOf([column('show'), column('hide', 'hide')]).hidden).toEqual([field])
    expect(rightsOf([column('hide')]).hidden).toEqual([field])
  })

  it('hide metrics that are hidden, or restricted and allowed to others', () => {
    const id = idOf('met', 1)
    const resource = { kind: 'metric', id } as const
    expect(rightsOf([rule({ effect: 'hide', resource })]).hiddenMetrics).toEqual([id])
    expect(rightsOf([], { restricted: [resource] }).hiddenMetrics).toEqual([id])
    expect(rightsOf([rule({ resource })], { restricted: [resource] }).hiddenMetrics).toEqual([])
    const category = { kind: 'category', id: idOf('cat', 1) } as const
    expect(rightsOf([rule({ effect: 'hide', resource: category })]).hiddenCategories).toEqual([category.id])
  })
})
