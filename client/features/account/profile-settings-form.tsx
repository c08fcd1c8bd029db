import { Alert, Button, Group, Select, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMemo, useState } from 'react'
import { dateFormatOptions, isPersonLocale, DEFAULT_LOCALE } from './date-choices'
import { NotificationFields } from './notification-matrix'
import { ProfileFields } from './profile-fields'
import { useSaveProfile } from './use-profile-saving'
import { useSession } from '../../lib/session'
import { formValidator } from '../../lib/validate-form'
import { FormError } from '../../ui/form-error'
import { LinkAnchor } from '../../ui/links'
import { SectionCard } from '../../ui/section-card'
import { profileSchema } from '../../../src/shared/account'
import type { Profile } from '../../../src/shared/account'

const toFormValues = ({ name, job, goals, locale, notifications: wanted }: Profile) => ({
  name,
  job,
  goals,
  locale: isPersonLocale(locale) ? locale : null,
  notifications: wanted,
})

/** Everything a person says about themselves, saved together. */
export function ProfileSettingsForm({ stored }: { stored: Profile }) {
  const timeZone = useSession().workspace?.settings.timeZone ?? 'UTC'
  const [now] = useState(() => new Date().toISOString())
  const choices = useMemo(() => dateFormatOptions(now, timeZone), [now, timeZone])
  const form = useForm({ initialValues: toFormValues(stored), validate: formValidator(profileSchema) })
  const saving = useSaveProfile(form, (saved) => {
    form.setInitialValues(toFormValues(saved))
    form.setValues(toFormValues(saved))
    notifications.show({ color: 'green', message: 'Profile saved.' })
  })
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
      <Stack gap="lg">
        <FormError error={saving.error} />
        <SectionCard title="About you">
          <ProfileFields form={form} />
        </SectionCard>
        <SectionCard
          title="Dates and times"
          description="Only how they are written. Figures are written as the workspace writes them."
        >
          <Select
            label="How dates are written"
            data={choices}
            allowDeselect={false}
            value={form.values.locale ?? DEFAULT_LOCALE}
            error={form.errors['locale']}
            onChange={(value) => form.setFieldValue('locale', isPersonLocale(value) ? value : null)}
          />
        </SectionCard>
        <SectionCard title="Mails" description="What we write to you about.">
          {stored.email === null && (
            <Alert color="yellow">
              Your account has no address yet, so no mail can reach you.{' '}
              <LinkAnchor to="/settings/profile/authentication" size="sm" underline="always">
                Add an address
              </LinkAnchor>
            </Alert>
          )}
          <NotificationFields
            value={form.values.notifications}
            onChange={(next) => form.setFieldValue('notifications', next)}
          />
        </SectionCard>
        <Group justify="flex-end">
          <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
            Undo changes
          </Button>
          <Button type="submit" disabled={!form.isDirty()} loading={saving.isPending}>
            Save profile
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
