import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { termsQuery, useSetTerms } from './queries'
import { TermsFeatures } from './terms-features'
import { defaultFeatures, toTermsInput, TERMS_KINDS, toTermsValues } from './terms-values'
import type { TermsFormValues } from './terms-values'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { ErrorState } from '../../ui/error-state'
import { FormSkeleton } from '../../ui/skeletons'
import type { AdminWorkspace, WorkspaceTerms } from '../../../src/shared/admin'

const KIND_LABELS: Record<TermsFormValues['kind'], string> = {
  trial: 'Trial',
  enterprise: 'Enterprise',
  legacy: 'Legacy',
}

/** On which terms a workspace is used: a longer trial, or an agreement with limits of its own. */
export function TermsDialog({ workspace, onClose }: { workspace: AdminWorkspace; onClose: () => void }) {
  const terms = useQuery(termsQuery(workspace.id))
  return (
    <Modal opened onClose={onClose} title={`Terms of ${workspace.name}`} size="lg">
      {terms.isPending && <FormSkeleton />}
      {terms.error && <ErrorState error={terms.error} onRetry={() => void terms.refetch()} />}
      {terms.data?.subscribed && (
        <Text>This workspace pays for a plan. Its subscription has to end before it gets terms of its own.</Text>
      )}
      {terms.data && !terms.data.subscribed && <TermsForm workspace={workspace} terms={terms.data} onClose={onClose} />}
    </Modal>
  )
}

interface TermsFormProps {
  workspace: AdminWorkspace
  terms: WorkspaceTerms
  onClose: () => void
}
/** Today's terms to be changed, and saving them. */
function useTermsForm({ workspace, terms, onClose }: TermsFormProps) {
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const form = useForm({
    initialValues: toTermsValues(terms, today),
    validate: {
      trialDay: (day: string, { kind }: TermsFormValues) => (kind === 'trial' && day === '' ? 'Choose a day.' : null),
      reason: (text: string) => (text.trim().length < 3 ? 'Say why: it stands in the audit log.' : null),
    },
  })
  const { mutate, isPending, error } = useSetTerms(workspace.id)
  const save = (values: TermsFormValues) =>
    mutate(toTermsInput(values, terms.version), {
      onSuccess: () => {
        notifications.show({ color: 'green', message: `Terms of ${workspace.name} set.` })
        onClose()
      },
      onError: (problem) => void applyFieldErrors(form, problem, []),
    })
  return { form, save, isPending, error }
}

function TermsForm(props: TermsFormProps) {
  const { form, save, isPending, error } = useTermsForm(props)
  const choose = (kind: string) => {
    const chosen = TERMS_KINDS.find((one) => one === kind) ?? 'trial'
    form.setValues({ kind: chosen, features: defaultFeatures(chosen) })
  }
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack gap="md">
        <FormError error={error} />
        <SegmentedControl
          aria-label="Terms"
          data={TERMS_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
          value={form.values.kind}
          onChange={choose}
        />
        {form.values.kind === 'trial' && (
          <TextInput type="date" label="Last day of the trial" {...form.getInputProps('trialDay')} />
        )}
        <TermsFeatures
          isTrial={form.values.kind === 'trial'}
          features={form.values.features}
          onChange={(part) => form.setFieldValue('features', { ...form.values.features, ...part })}
        />
        <TextInput
          label="Reason"
          description="Stands in the audit log."
          maxLength={200}
          {...form.getInputProps('reason')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            Set terms
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
