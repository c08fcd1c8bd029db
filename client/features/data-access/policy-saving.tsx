import { Alert, List } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { AccessPolicyInput, AccessTestResult, DataAccess } from '../../../src/shared/data-access/data-access'
import type { AccessPolicy } from '../../../src/shared/data-access/rules'
import { ApiError } from '../../lib/api'
import { isVersionConflict } from '../../lib/error-details'
import { useMayWrite } from '../../lib/gate'
import { FormError } from '../../ui/forms/form-error'
import { VersionConflictAlert } from '../../ui/forms/version-conflict-dialog'
import { describeFound } from './access-text'
import { dataAccessQuery, useSaveDataAccess } from './queries'

/** Whether the person and the plan let rules be changed now. */
export const useMayEditAccess = ({ mayEdit }: Pick<DataAccess, 'mayEdit'>): boolean =>
  useMayWrite('edit:access') && mayEdit

/** Made from the policy as it is when it is saved: what others saved meanwhile stays. */
export type PolicyChange = (policy: AccessPolicy) => AccessPolicyInput

const failingTestsSchema = z.array(z.object({ id: z.string(), name: z.string() }))
/** Tests that would fail, when that is why the server refused. */
export function failingTestsOf(error: unknown): { id: string; name: string }[] | null {
  if (!(error instanceof ApiError) || error.body.code !== 'in_use') return null
  return failingTestsSchema.safeParse(error.body['dependents']).data ?? []
}

export interface PolicySavingOptions {
  /** What is said when it is saved: "Rule saved". */
  saved: string
  onSaved: () => void
  onClose: () => void
}

/** Saves a changed policy against the revision it was read at. */
export function usePolicySaving(access: DataAccess, { saved, onSaved, onClose }: PolicySavingOptions) {
  // What it was looked at with, until somebody asks for the newest: what is saved is what was shown.
  const [base, setBase] = useState(access)
  const saving = useSaveDataAccess()
  const { refetch } = useQuery({ ...dataAccessQuery(), enabled: false })
  const failing = failingTestsOf(saving.error)
  const isConflict = isVersionConflict(saving.error)
  return {
    // By the promise: the newest rules may take away what was asked from before the callbacks of a mutation are called.
    save: (change: PolicyChange, force = false): void =>
      void saving
        .mutateAsync({ policy: change(base.policy), revision: base.revision, force: force || failing !== null })
        .then(
          () => {
            notifications.show({ color: 'green', message: saved })
            onSaved()
          },
          // Told beside the buttons.
          () => undefined,
        ),
    base,
    isSaving: saving.isPending,
    failing,
    isConflict,
    error: failing || isConflict ? null : saving.error,
    /** The newest rules with the same change: looked at again before it is saved. */
    keepMine: () =>
      void refetch().then(({ data }) => {
        if (data) setBase(data)
        saving.reset()
      }),
    takeTheirs: () => void refetch().then(onClose),
  }
}
export type PolicySaving = ReturnType<typeof usePolicySaving>

/** Tests by name, under what is wrong with them. */
export const FailingTestsAlert = ({ title, names }: { title: string; names: readonly string[] }) => (
  <Alert color="red" role="alert" title={title}>
    <List size="sm">
      {names.map((name) => (
        <List.Item key={name}>{name}</List.Item>
      ))}
    </List>
  </Alert>
)

/** Why it was not saved: who saved first, which tests would fail, or what is wrong. */
export function PolicySaveProblems({ saving, theirs }: { saving: PolicySaving; theirs?: string | null }) {
  if (saving.isConflict)
    return (
      <VersionConflictAlert keepLabel="Use mine" onKeepMine={saving.keepMine} onTakeTheirs={saving.takeTheirs}>
        {theirs ?? 'Other rules have changed since. Yours is applied to the newest.'}
      </VersionConflictAlert>
    )
  if (saving.failing)
    return <FailingTestsAlert title="Tests would fail" names={saving.failing.map(({ name }) => name)} />
  return <FormError error={saving.error} />
}

/** Tests by how the answer about a policy says they end: those that passed before, and the others that fail. */
export function failingTests(
  results: readonly AccessTestResult[],
  { before, after }: { before: readonly AccessTestResult[]; after: AccessPolicyInput },
): { broken: string[]; others: string[] } {
  // New tests have no id here yet; results come in the order of tests.
  const failing = results.flatMap(({ testId, passes, found }, at) =>
    passes ? [] : [{ testId, name: `${after.tests[at]?.name ?? 'A test'}: ${describeFound({ found }).toLowerCase()}` }],
  )
  const isBroken = ({ testId }: { testId: string }): boolean =>
    before.some((one) => one.testId === testId && one.passes)
  return {
    broken: failing.filter(isBroken).map(({ name }) => name),
    others: failing.filter((one) => !isBroken(one)).map(({ name }) => name),
  }
}

/** What the dialog that is open is about, until it closes. */
export function useOpened<T>(): { opened: T | null; open: (what: T) => void; close: () => void } {
  const [opened, open] = useState<T | null>(null)
  return { opened, open, close: () => open(null) }
}
