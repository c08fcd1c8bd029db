import { canonicalJson } from '../../../lib/hash'
import type { AccessPolicy } from '../../../shared/data-access/rules'

/** What was done to a policy, a sentence each: "Added rule “South only”". */
export function policyChanges(
  before: AccessPolicy,
  after: AccessPolicy,
  nameOf: (restricted: AccessPolicy['restricted'][number]) => string,
): string[] {
  const restricted = (policy: AccessPolicy) => policy.restricted.map((each) => ({ id: each.id, name: nameOf(each) }))
  return [
    ...changesOf('rule', before.rules, after.rules),
    ...changesOf('attribute', named(before.attributes), named(after.attributes)),
    ...changesOf('test', before.tests, after.tests),
    ...difference(restricted(after), restricted(before)).map(({ name }) => `Restricted “${name}”`),
    ...difference(restricted(before), restricted(after)).map(({ name }) => `Opened “${name}” to all members`),
  ]
}

const named = (attributes: AccessPolicy['attributes']) => attributes.map((each) => ({ ...each, name: each.label }))

interface NamedRecord {
  id: string
  name: string
}
const difference = <T extends NamedRecord>(these: readonly T[], others: readonly T[]): T[] =>
  these.filter(({ id }) => !others.some((other) => other.id === id))

function changesOf<T extends NamedRecord>(what: string, before: readonly T[], after: readonly T[]): string[] {
  const changed = after.filter((each) => {
    const was = before.find(({ id }) => id === each.id)
    return was !== undefined && canonicalJson(was) !== canonicalJson(each)
  })
  return [
    ...difference(after, before).map(({ name }) => `Added ${what} “${name}”`),
    ...changed.map(({ name }) => `Changed ${what} “${name}”`),
    ...difference(before, after).map(({ name }) => `Deleted ${what} “${name}”`),
  ]
}
