import { describe, expect, it } from 'vitest'
import type { AccessFilter, AccessPolicy, AccessRule, ColumnGrant } from '../../../src/shared/data-access/rules'
import type { BuilderDataset } from '../../lib/query-builder/catalogue'
import { ruleVerb } from './access-text'
import { keyFromLabel, parseValues, toAttribute } from './attribute-draft'
import { ORDER_COLUMNS, ORDERS, OWN_REGION, POLICY } from './data-access.fixture'
import { NEW_RULE, toRule, toRuleDraft, withResource, withRule, withStance } from './rule-draft'
import { toAccessFilter, toRuleFilterDraft } from './rule-filter-draft'

const DATASET: BuilderDataset = { id: ORDERS, name: 'Orders', columns: ORDER_COLUMNS }
const filter = (any: AccessFilter['any'], column: 'c0' | 'c2' = 'c2'): AccessFilter => ({
  field: { dataset: ORDERS, column },
  any,
})

describe('conditions of rules', () => {
  it.each([
    filter([{ op: 'in', values: ['South', 'North'] }]),
    filter([{ op: 'notIn', values: [{ attribute: 'region' }] }]),
    filter([{ op: 'ge', value: { attribute: 'level' } }], 'c0'),
    filter([{ op: 'between', from: 1, to: 9 }], 'c0'),
    filter([{ op: 'contains', value: 'So' }]),
    filter([{ op: 'empty' }]),
  ])('come back from the editor as they were: %j', (stored) => {
    const draft = toRuleFilterDraft(stored, DATASET)
    expect(draft.kind).toBe('edit')
    expect(toAccessFilter(draft, DATASET)).toEqual(stored)
  })

  it.each([
    filter([{ op: 'in', values: ['South', { attribute: 'region' }] }]),
    filter([{ op: 'empty' }, { op: 'in', values: ['South'] }]),
    { ...filter([{ op: 'eq', value: 1 }]), part: 'weekday' as const },
  ])('that the editor cannot show are kept: %j', (stored) => {
    const draft = toRuleFilterDraft(stored, DATASET)
    expect(draft).toEqual({ kind: 'kept', filter: stored })
    expect(toAccessFilter(draft, DATASET)).toEqual(stored)
  })
})

describe('rules', () => {
  it('come back from the editor as they were', () => {
    const { id: _id, ...rule } = OWN_REGION
    expect(toRule(toRuleDraft(OWN_REGION, POLICY, DATASET), DATASET)).toEqual({ rule })
  })

  it('lack what is missing, each beside its field', () => {
    expect(toRule(NEW_RULE, null)).toEqual({
      problems: {
        name: 'Enter a name.',
        subject: 'Choose who the rule is for.',
        resource: 'Choose what the rule is about.',
      },
    })
    const twice = { ...toRuleDraft(OWN_REGION, POLICY, DATASET), rows: 'unchanged' as const }
    const [column] = twice.columns
    expect(toRule({ ...twice, columns: [] }, DATASET)).toEqual({ problems: { columns: 'Add a column.' } })
    expect(toRule({ ...twice, columns: column ? [column, column] : [] }, DATASET)).toEqual({
      problems: { columns: 'Choose each column once.' },
    })
  })

  it('of another resource lose its conditions and columns; categories can only be hidden', () => {
    const draft = toRuleDraft(OWN_REGION, POLICY, DATASET)
    const moved = withResource(draft, { kind: 'category', id: 'cat_00000000000000000001' }, POLICY)
    expect(moved).toMatchObject({ effect: 'hide', rows: 'all', filters: [], columns: [], restricted: false })
  })

  it('take the place of the one they were, and are added where it is gone', () => {
    const { id, ...rule } = { ...OWN_REGION, name: 'Renamed' }
    expect(withRule(POLICY, id, rule).rules).toEqual([{ id, ...rule }])
    expect(withRule({ ...POLICY, rules: [] }, id, rule).rules).toEqual([rule])
  })

  it('say in a word what they do, also those about columns alone', () => {
    const columns = (grant: ColumnGrant) => ({
      ...OWN_REGION,
      rows: 'unchanged' as const,
      columns: [{ key: 'c3' as const, grant }],
    })
    const words = [
      OWN_REGION,
      { ...OWN_REGION, effect: 'hide' as const },
      columns('show'),
      columns('hash'),
      columns('hide'),
    ]
    expect(words.map((rule) => ruleVerb(rule).label)).toEqual(['Allow', 'Hide', 'Unmask', 'Mask', 'Hide'])
  })

  it('say whether a dataset is restricted; sources are not', () => {
    const resource = { kind: 'dataset' as const, id: ORDERS }
    const closed = withStance(POLICY, resource, { restricted: true, name: 'Orders' })
    expect(closed.restricted).toHaveLength(2)
    expect(withStance(closed, resource, { restricted: false, name: 'Orders' }).restricted).toEqual(POLICY.restricted)
    const source = { kind: 'source' as const, id: 'src_00000000000000000001' }
    expect(withStance(POLICY, source, { restricted: true, name: 'Shop' })).toEqual(POLICY)
  })

  it('leave what becomes restricted to owners, where none does yet', () => {
    const close = (policy: AccessPolicy) =>
      withStance(policy, { kind: 'dataset', id: ORDERS }, { restricted: true, name: 'Orders' }).rules
    const owners = { name: 'Orders for owners', subject: { kind: 'role', role: 'owner' }, effect: 'allow', rows: 'all' }
    expect(close(POLICY)).toMatchObject([OWN_REGION, owners])
    const admins: AccessRule = { ...OWN_REGION, subject: { kind: 'role', role: 'admin' }, rows: 'all', filters: [] }
    expect(close({ ...POLICY, rules: [admins] })).toEqual([admins])
    expect(close({ ...POLICY, rules: [{ ...admins, active: false }] })).toHaveLength(2)
    expect(close({ ...POLICY, restricted: [{ kind: 'dataset', id: ORDERS }] })).toEqual([OWN_REGION])
  })
})

describe('attributes', () => {
  it('have a key of letters and digits that begins with a letter', () => {
    expect(keyFromLabel('Säljande region 2')).toBe('saljandeRegion2')
    expect(keyFromLabel('2 år')).toBe('ar')
    expect(keyFromLabel('–')).toBe('')
  })

  it('hold values of their type', () => {
    expect(parseValues(['1 200,5', '7'], 'number')).toEqual([1200.5, 7])
    expect(parseValues(['x'], 'number')).toBeNull()
    expect(parseValues([' South ', ''], 'text')).toEqual(['South'])
  })

  it('need a name and a key of their own', () => {
    const draft = { label: 'Region', key: 'region', type: 'text' as const, multiple: false, defaults: ['a', 'b'] }
    expect(toAttribute(draft, ['region'])).toEqual({
      problems: { defaults: 'Enter one value.', key: 'Key already in use.' },
    })
    expect(toAttribute({ ...draft, key: 'email', defaults: [] }, [])).toEqual({
      problems: { key: 'Key already in use.' },
    })
  })
})
