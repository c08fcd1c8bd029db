import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { ProfileFields } from './profile-fields'
import { useProfileSaving } from './use-profile-saving'
import { checkWith } from '../../lib/validate-form'
import { FormError } from '../../ui/form-error'
import { profileSchema } from '../../../src/shared/account'
import type { Profile } from '../../../src/shared/account'

export interface ProfileFormProps {
  stored: Profile
  submit: string
  onSaved: () => void
  /** Beside the button: a way past this step. */
  beside?: ReactNode
}

/** The profile as the first steps ask for it. */
export function ProfileForm({ stored, submit, onSaved, beside }: ProfileFormProps) {
  const form = useForm({
    initialValues: { name: stored.name, job: stored.job, goals: stored.goals },
    validate: checkWith(profileSchema),
  })
  const saving = useProfileSaving(form, onSaved)
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
      <Stack gap="md">
        <FormError error={saving.error} />
        <ProfileFields form={form} />
        <Group justify="flex-end" mt="xs">
          {beside}
          <Button type="submit" loading={saving.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
