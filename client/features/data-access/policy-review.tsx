import { Alert, Button, Stack, Table, Text } from '@mantine/core'
import { IconArrowRight, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import type { AccessChange, AccessImpact, DataAccess } from '../../../src/shared/data-access/data-access'
import { useFormat } from '../../lib/format'
import { Dialog } from '../../ui/dialog'
import { DialogButtons } from '../../ui/forms/form-dialog'
import { fieldErrors, FormError } from '../../ui/forms/form-error'
import { MutedText } from '../../ui/muted-text'
import { TableSkeleton } from '../../ui/skeletons'
import cards from '../../ui/card-table.module.css'
import classes from './data-access.module.css'
import { describeView } from './access-text'
import {
  FailingTestsAlert,
  failingTests,
  PolicySaveProblems,
  usePolicySaving,
  type PolicyChange,
  type PolicySavingOptions,
} from './policy-saving'
import { accessImpactQuery } from './queries'

export interface PolicyReviewProps extends PolicySavingOptions {
  access: DataAccess
  change: PolicyChange
  /** A verb and its object: "Save rule". */
  submit: string
  /** What leaves everything as it is, or goes back. */
  cancel?: string
  onCancel?: () => void
  /** What somebody else made of the same thing meanwhile. */
  theirs?: string | null
  /** What is shown in place of whom it changes something for. */
  outcome?: (impact: AccessImpact) => ReactNode
}

/** What a change would mean for people, before it is saved: rows and columns before and after, tests, refusals. */
export function PolicyReview({
  access,
  change,
  submit,
  cancel,
  onCancel,
  theirs,
  outcome,
  ...options
}: PolicyReviewProps) {
  const saving = usePolicySaving(access, options)
  const policy = change(saving.base.policy)
  const impact = useQuery(accessImpactQuery(policy))
  const tests = failingTests(impact.data?.tests ?? [], { before: saving.base.tests, after: policy })
  const isBreaking = tests.broken.length > 0 || saving.failing !== null
  // The form that it takes the place of had the focus; a dialog that begins with it would give it to its cross.
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => step.current?.focus(), [])
  return (
    <Stack gap="md" ref={step} tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
      {impact.data ? (
        <>
          {impact.data.refusal !== null && <RefusalAlert reasons={[impact.data.refusal]} />}
          {tests.broken.length > 0 && saving.failing === null && (
            <FailingTestsAlert title="Tests would fail" names={tests.broken} />
          )}
          {tests.others.length > 0 && !outcome && <FailingTestsAlert title="Tests that fail" names={tests.others} />}
          {outcome ? outcome(impact.data) : <ImpactTable impact={impact.data} />}
        </>
      ) : (
        <ImpactStatus error={impact.error} onRetry={() => void impact.refetch()} />
      )}
      <PolicySaveProblems saving={saving} theirs={theirs ?? null} />
      <DialogButtons
        submit={isBreaking ? 'Save anyway' : submit}
        danger={isBreaking}
        cancel={cancel}
        pending={saving.isSaving}
        disabled={impact.data === undefined || impact.data.refusal !== null || saving.isConflict}
        onConfirm={() => saving.save(change, isBreaking)}
        onClose={onCancel ?? options.onClose}
      />
    </Stack>
  )
}

const RefusalAlert = ({ reasons }: { reasons: readonly string[] }) => (
  <Alert color="red" role="alert" icon={<IconLock aria-hidden />} title="Can’t be saved">
    {reasons.map((reason) => (
      <Text size="sm" key={reason}>
        {reason}
      </Text>
    ))}
  </Alert>
)

/** That the impact is being worked out, or what is wrong with what was written. */
function ImpactStatus({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error === null)
    return (
      <div role="status" aria-label="Checking impact">
        <TableSkeleton count={3} />
      </div>
    )
  const fields = fieldErrors(error)
  if (fields) return <RefusalAlert reasons={[...new Set(Object.values(fields))]} />
  return (
    <Stack gap="xs" align="flex-start">
      <FormError error={error} />
      <Button size="xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    </Stack>
  )
}

function ImpactTable({ impact: { changes, count } }: { impact: AccessImpact }) {
  const format = useFormat()
  if (changes.length === 0) return <MutedText role="status">No one’s access changes.</MutedText>
  return (
    <div>
      <Text size="sm" mb="xs" role="status">
        {count === 1 ? '1 change' : `${format.count(count)} changes`}
        {changes.length < count && `, the largest ${format.count(changes.length)} shown`}
      </Text>
      <section className={classes.impact} tabIndex={0} aria-label="Impact">
        <Table className={cards.table} aria-label="Impact">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Person</Table.Th>
              <Table.Th>Dataset</Table.Th>
              <Table.Th>Before</Table.Th>
              <Table.Th>After</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map((change) => (
              <ImpactRow key={`${change.userId}/${change.datasetId}`} change={change} />
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </div>
  )
}

function ImpactRow({ change: { name, datasetName, before, after } }: { change: AccessChange }) {
  const format = useFormat()
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      <Table.Td data-label="Dataset">{datasetName}</Table.Td>
      <Table.Td data-label="Before">{describeView(before, format)}</Table.Td>
      <Table.Td data-label="After">
        <span className={classes.after}>
          <IconArrowRight size={14} aria-hidden />
          {describeView(after, format)}
        </span>
      </Table.Td>
    </Table.Tr>
  )
}

/** Asks before a change that is one click, with what it means. */
export function PolicyReviewDialog({
  title,
  message,
  ...review
}: PolicyReviewProps & { title: string; message?: string }) {
  return (
    <Dialog opened onClose={review.onClose} title={title} size="lg">
      {message !== undefined && (
        <Text size="sm" mb="md">
          {message}
        </Text>
      )}
      <PolicyReview {...review} />
    </Dialog>
  )
}
