import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AccessPolicyInput, DataAccess } from '../../../src/shared/data-access/data-access'
import { accessTestInputSchema, type AccessPolicy, type AccessTest } from '../../../src/shared/data-access/rules'
import { humanizeLabel } from '../../../src/shared/text'
import { formValidator } from '../../lib/validate-form'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { Dialog } from '../../ui/dialog'
import { useAccessNames } from './access-names'
import { EXPECTATION_LABELS } from './access-text'
import classes from './data-access.module.css'
import { ReviewSteps } from './review-steps'
import { TestOutcome } from './test-outcome'
import { SubjectSelect, toPersonSubject, toSubjectDraft, type SubjectDraft } from './view-as-dialog'

interface TestDraft {
  name: string
  subject: SubjectDraft
  dataset: string | null
  column: string | null
  expect: AccessTest['expect']
}
type AccessTestInput = Omit<AccessTest, 'id'>

const toTestDraft = (test: AccessTest | null): TestDraft => ({
  name: test?.name ?? '',
  subject: test ? toSubjectDraft(test.subject) : { kind: 'group', value: null },
  dataset: test?.dataset ?? null,
  column: test?.column ?? null,
  expect: test?.expect ?? 'nothing',
})

const check = formValidator(accessTestInputSchema)
/** The test of a draft, or what is missing, by field. */
function toTest(draft: TestDraft): { test: AccessTestInput } | { problems: Record<string, string> } {
  const { name, dataset, column, expect } = draft
  const subject = toPersonSubject(draft.subject)
  const asked = { name: name.trim(), subject, dataset, column, expect }
  const parsed = accessTestInputSchema.safeParse(asked)
  if (parsed.success) return { test: parsed.data }
  return {
    problems: {
      ...check(asked),
      ...(subject ? {} : { subject: 'Choose who the test is about.' }),
      ...(dataset === null ? { dataset: 'Choose a dataset.' } : {}),
    },
  }
}

function withTest(policy: AccessPolicy, id: string | null, test: AccessTestInput): AccessPolicyInput {
  const isKnown = policy.tests.some((one) => one.id === id)
  if (id === null || !isKnown) return { ...policy, tests: [...policy.tests, test] }
  return { ...policy, tests: policy.tests.map((one) => (one.id === id ? { id, ...test } : one)) }
}

interface TestDialogProps {
  access: DataAccess
  test: AccessTest | null
  onClose: () => void
}

/** Who must, or must not, see what. */
export function TestDialog({ access, test, onClose }: TestDialogProps) {
  const [first] = useState(() => toTestDraft(test))
  const [draft, setDraft] = useState(first)
  const [problems, setProblems] = useState<Record<string, string>>({})
  const kept = useKeptDraft<TestDraft>({
    name: `access-test:${test?.id ?? 'new'}`,
    base: JSON.stringify(test),
    value: draft,
    isDirty: JSON.stringify(draft) !== JSON.stringify(first),
    apply: setDraft,
    reset: () => setDraft(first),
  })
  const made = toTest(draft)
  return (
    <Dialog opened onClose={onClose} title={test ? 'Edit test' : 'Create test'} size="lg">
      <ReviewSteps
        {...{ access, onClose }}
        draft={kept}
        change={'test' in made ? (policy) => withTest(policy, test?.id ?? null, made.test) : null}
        onMissing={() => 'problems' in made && setProblems(made.problems)}
        ask="Run test"
        save="Save test"
        saved={test ? 'Test saved' : 'Test created'}
        // A new test comes last.
        outcome={({ tests }) => (
          <TestOutcome result={test ? tests.find(({ testId }) => testId === test.id) : tests.at(-1)} />
        )}
      >
        <TestFields
          {...{ draft, problems }}
          onChange={(next) => {
            setDraft(next)
            setProblems({})
          }}
        />
      </ReviewSteps>
    </Dialog>
  )
}

const WHOLE_DATASET = ''

interface TestFieldsProps {
  draft: TestDraft
  problems: Record<string, string>
  onChange: (draft: TestDraft) => void
}

function TestFields({ draft, problems, onChange }: TestFieldsProps) {
  const names = useAccessNames()
  const { name, subject, dataset, column, expect } = draft
  const columns = dataset === null ? [] : names.columnsOf(dataset)
  const expectations = (['nothing', 'masked', 'something', 'everything'] as const).filter(
    (one) => column !== null || one !== 'masked',
  )
  return (
    <>
      <TextInput
        data-autofocus
        label="Name"
        placeholder="Sales doesn’t see Salary"
        maxLength={120}
        value={name}
        error={problems['name']}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      />
      <SubjectSelect
        label="Who"
        subject={subject}
        error={problems['subject']}
        onChange={(next) => onChange({ ...draft, subject: next })}
      />
      <div className={classes.pair}>
        <Select
          label="Dataset"
          data={names.choices.dataset}
          value={dataset}
          searchable
          nothingFoundMessage="No match"
          placeholder="Choose a dataset"
          error={problems['dataset']}
          onChange={(next) =>
            onChange({ ...draft, dataset: next, column: null, expect: expect === 'masked' ? 'nothing' : expect })
          }
        />
        <Select
          label="Column"
          data={[
            { value: WHOLE_DATASET, label: 'Whole dataset' },
            ...columns.map((one) => ({ value: one.key, label: humanizeLabel(one.label) })),
          ]}
          value={column ?? WHOLE_DATASET}
          searchable
          nothingFoundMessage="No match"
          disabled={dataset === null}
          onChange={(next) => onChange({ ...draft, column: next === null || next === WHOLE_DATASET ? null : next })}
        />
      </div>
      <Select
        label="Expected"
        data={expectations.map((value) => ({ value, label: EXPECTATION_LABELS[value] }))}
        value={expect}
        onChange={(next) => next && onChange({ ...draft, expect: next })}
      />
    </>
  )
}
