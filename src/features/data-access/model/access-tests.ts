import { datasetView } from './dataset-view'
import { dataRights, type AccessPerson } from '../../../identity/access/data-rights'
import type { AccessTestResult } from '../../../shared/data-access/data-access'
import type { AccessPolicy, AccessTest } from '../../../shared/data-access/rules'

interface TestedWorkspace {
  people: readonly AccessPerson[]
  datasets: readonly { id: string; sourceId: string; columns: readonly { key: string }[] }[]
}
type SeenAs = NonNullable<AccessTestResult['found']>

/** Every stored test against a policy. A test of a group or role holds when it does for each of its people. */
export const runAccessTests = (policy: AccessPolicy, workspace: TestedWorkspace): AccessTestResult[] =>
  policy.tests.map((test) => runTest(test, policy, workspace))

function runTest(test: AccessTest, policy: AccessPolicy, { people, datasets }: TestedWorkspace): AccessTestResult {
  const dataset = datasets.find(({ id }) => id === test.dataset)
  const isGone = !dataset || (test.column !== null && !dataset.columns.some(({ key }) => key === test.column))
  const tested = people.filter((person) => isOf(test.subject, person))
  if (isGone || tested.length === 0) return { testId: test.id, passes: false, found: null }
  const found = tested.map((person) => seenOf(test, { dataset, policy, person }))
  const wrong = found.find((each) => !meets(test.expect, each))
  return { testId: test.id, passes: wrong === undefined, found: wrong ?? found[0] ?? null }
}

function isOf(subject: AccessTest['subject'], person: AccessPerson): boolean {
  if (subject.kind === 'member') return subject.id === person.userId
  return subject.kind === 'group' ? person.groupIds.includes(subject.id) : subject.role === person.role
}

function seenOf(
  { column }: AccessTest,
  at: { dataset: { id: string; sourceId: string }; policy: AccessPolicy; person: AccessPerson },
): SeenAs {
  const { rows, masked, hidden } = datasetView(dataRights(at.policy, at.person), at.dataset)
  if (rows === 'none' || (column !== null && hidden.includes(column))) return 'nothing'
  if (column !== null && masked.some(({ key }) => key === column)) return 'masked'
  return rows === 'rules' ? 'something' : 'everything'
}

/** Whoever sees everything sees something. */
const meets = (expected: AccessTest['expect'], found: SeenAs): boolean =>
  expected === 'something' ? found !== 'nothing' : expected === found
