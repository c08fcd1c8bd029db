import { Button, Chip, Group, Input, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { profileQuery, saveProfile } from './queries'
import { loadSession } from '../../lib/session-calls'
import { checkWith } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { profileSchema } from '../../../src/shared/account'
import type { Profile } from '../../../src/shared/account'
import { GOALS } from '../../../src/shared/workspaces'
import type { Goal } from '../../../src/shared/workspaces'

const GOAL_WORDS: Record<Goal, string> = {
  sales: 'Follow sales',
  costs: 'Keep costs in hand',
  cash: 'See cash ahead',
  customers: 'Understand customers',
  reporting: 'Report faster',
  forecasting: 'Plan ahead',
}
const isGoal = (text: string): text is Goal => GOALS.some((goal) => goal === text)

export interface ProfileFormProps {
  stored: Profile
  submit: string
  onSaved: () => void
  /** Beside the button: a way past this step. */
  beside?: ReactNode
}

export function ProfileForm({ stored, submit, onSaved, beside }: ProfileFormProps) {
  const client = useQueryClient()
  const form = useForm({
    initialValues: { name: stored.name, job: stored.job, goals: stored.goals },
    validate: checkWith(profileSchema),
  })
  const mutation = useMutation({
    mutationFn: saveProfile,
    onSuccess: async (saved) => {
      client.setQueryData(profileQuery().queryKey, saved)
      await loadSession()
      onSaved()
    },
    onError: (error) => applyFieldErrors(form, error, ['name', 'job', 'goals']),
  })
  const { value, onChange } = form.getInputProps('goals')
  return (
    <form onSubmit={form.onSubmit((values) => mutation.mutate(values))} noValidate>
      <Stack gap="md">
        <FormError error={mutation.error} />
        <TextInput label="Your name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label="What you do"
          placeholder="Owner, CFO, accountant …"
          autoComplete="organization-title"
          {...form.getInputProps('job')}
        />
        <Input.Wrapper label="What you want to see" labelElement="div" description="Choose any that fit.">
          <Chip.Group multiple value={value} onChange={(picked) => onChange(picked.filter(isGoal))}>
            <Group gap="xs" mt={8} role="group" aria-label="What you want to see">
              {GOALS.map((goal) => (
                <Chip key={goal} value={goal} variant="outline" radius="md">
                  {GOAL_WORDS[goal]}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
        <Group justify="flex-end" mt="xs">
          {beside}
          <Button type="submit" loading={mutation.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
