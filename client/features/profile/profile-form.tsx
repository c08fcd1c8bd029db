import { Chip, Group, Input, TextInput, Button, Stack } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { GOALS, type Goal } from '../../../src/shared/workspaces/workspaces'
import { loadSession } from '../../lib/session-actions'
import { applyFieldErrors, FormError, type ErrorTarget } from '../../ui/forms/form-error'
import { profileSchema, type Profile } from '../../../src/shared/account'
import { formValidator } from '../../lib/validate-form'
import { saveProfile } from './queries'
import { profileQuery } from '../../lib/queries/profile-query'
import { FormFooter } from '../../ui/forms/form-footer'

const GOAL_LABELS: Record<Goal, string> = {
  sales: 'Track sales',
  costs: 'Control costs',
  cash: 'Forecast cash',
  customers: 'Understand customers',
  reporting: 'Report faster',
  forecasting: 'Forecast and plan',
}
const isGoal = (text: string): text is Goal => GOALS.some((goal) => goal === text)

export interface ProfileValues {
  name: string
  job: string
  goals: Goal[]
}

/** What a person says about themselves, in the first steps and later. */
export function ProfileFields<V extends ProfileValues>({ form }: { form: UseFormReturnType<V> }) {
  const { value, onChange } = form.getInputProps('goals')
  return (
    <>
      <TextInput label="Name" autoComplete="name" {...form.getInputProps('name')} />
      <TextInput
        label="Job title"
        placeholder="Owner, CFO, accountant…"
        autoComplete="organization-title"
        {...form.getInputProps('job')}
      />
      <Input.Wrapper label="Goals" labelElement="div">
        <Chip.Group multiple value={value} onChange={(picked) => onChange(picked.filter(isGoal))}>
          <Group gap="xs" mt={8} role="group" aria-label="Goals">
            {GOALS.map((goal) => (
              <Chip key={goal} value={goal} variant="outline" radius="md">
                {GOAL_LABELS[goal]}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Input.Wrapper>
    </>
  )
}

const PROFILE_FIELDS = ['name', 'job', 'goals', 'locale', 'notifications']

/** Saves the profile; the page's own data (name, dates) follows. */
export function useSaveProfile(form: ErrorTarget, onSaved: (saved: Profile) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: saveProfile,
    onSuccess: async (saved) => {
      client.setQueryData(profileQuery().queryKey, saved)
      await loadSession()
      onSaved(saved)
    },
    onError: (error) => void applyFieldErrors(form, error, PROFILE_FIELDS),
  })
}

export interface ProfileFormProps {
  stored: Profile
  submit: string
  onSaved: () => void
  /** Beside the button: a way past this step. */
  secondaryAction?: ReactNode
}

/** The profile as the first steps ask for it. */
export function ProfileForm({ stored, submit, onSaved, secondaryAction }: ProfileFormProps) {
  const form = useForm({
    initialValues: { name: stored.name, job: stored.job, goals: stored.goals },
    validate: formValidator(profileSchema),
  })
  const saving = useSaveProfile(form, onSaved)
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
      <Stack gap="md">
        <FormError error={saving.error} />
        <ProfileFields form={form} />
        <FormFooter mt="xs">
          {secondaryAction}
          <Button type="submit" loading={saving.isPending}>
            {submit}
          </Button>
        </FormFooter>
      </Stack>
    </form>
  )
}
