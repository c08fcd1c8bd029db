import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ReactNode } from 'react'
import { ProfileFields } from './profile-fields'
import { useSaveProfile } from './use-profile-saving'
import { formValidator } from '../../lib/validate-form'
import { FormError } from '../../ui/form-error'
import { profileSchema } from '../../../src/shared/account'
import type { Profile } from '../../../src/shared/account'

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
        <Group justify="flex-end" mt="xs">
          {secondaryAction}
          <Button type="submit" loading={saving.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
