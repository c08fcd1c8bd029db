import { MutedText } from '../../ui/muted-text'
import { Checkbox, List, Table, Alert, Button, Select, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useMemo, useState } from 'react'
import { formatDateTime } from '../../../src/shared/figures/formatter'
import { USER_LOCALES, NOTIFICATION_KINDS, profileSchema } from '../../../src/shared/account'
import type { NotificationKind, NotificationSettings, Profile } from '../../../src/shared/account'
import { ProfileFields, useSaveProfile } from './profile-form'
import { useSession } from '../../lib/session'
import { adoptSaved, changedValues } from '../../lib/writes/changed-values'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { formValidator } from '../../lib/validate-form'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { FormError } from '../../ui/forms/form-error'
import { LinkAnchor } from '../../ui/buttons/links'
import { SectionCard } from '../../ui/section-card'
import { FormFooter } from '../../ui/forms/form-footer'

export type PersonLocale = (typeof USER_LOCALES)[number]
/** The choice of those who chose none. */
const DEFAULT_LOCALE = 'standard'

const isPersonLocale = (text: string | null): text is PersonLocale => USER_LOCALES.some((locale) => locale === text)

/** Ways of writing dates, each shown by the same moment: `20 nov. 2026 14:05 · Swedish (Sweden)`. */
function dateFormatOptions(instant: string, timeZone: string): { value: string; label: string }[] {
  const languages = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })
  return [
    { value: DEFAULT_LOCALE, label: `${formatDateTime(instant, timeZone)} · default` },
    ...USER_LOCALES.map((locale) => ({
      value: locale,
      label: `${formatDateTime(instant, timeZone, locale)} · ${languages.of(locale) ?? locale}`,
    })),
  ]
}

const NOTIFICATION_LABELS: Record<NotificationKind, string> = {
  alerts: 'Alerts you receive',
  digests: 'Digests of insights you follow',
  findings: 'New findings in digests',
  mentions: 'Comments that mention you',
  ownLoadFailed: 'Your imports that fail',
  loadFailed: 'Other people’s imports that fail',
  billing: 'Trial reminders for workspaces you own',
  newSignIn: 'Sign-in from a new device or country',
  invitationAccepted: 'Accepted invitations',
  membershipChanged: 'Changes to your role or access',
}

interface NotificationFieldsProps {
  value: NotificationSettings
  onChange: (next: NotificationSettings) => void
}

/** Which mails a person wants, and which come in any case. */
function NotificationFields({ value, onChange }: NotificationFieldsProps) {
  return (
    <>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Notification</Table.Th>
            <Table.Th w={72} ta="center">
              Email
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {NOTIFICATION_KINDS.map((event) => (
            <Table.Tr key={event}>
              <Table.Th scope="row" fw={400}>
                {NOTIFICATION_LABELS[event]}
              </Table.Th>
              <Table.Td>
                <Checkbox
                  aria-label={`Email: ${NOTIFICATION_LABELS[event]}`}
                  checked={value[event]}
                  onChange={({ currentTarget }) => onChange({ ...value, [event]: currentTarget.checked })}
                  styles={{ body: { justifyContent: 'center' } }}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <div>
        <MutedText>Always sent:</MutedText>
        <List size="sm" c="dimmed" mt={4}>
          <List.Item>Password, email and sign-in changes</List.Item>
          <List.Item>Overdue payments and ended subscriptions</List.Item>
          <List.Item>Deleted accounts and workspaces</List.Item>
        </List>
      </div>
    </>
  )
}

const toFormValues = ({ name, job, goals, locale, notifications: wanted }: Profile) => ({
  name,
  job,
  goals,
  locale: isPersonLocale(locale) ? locale : null,
  notifications: wanted,
})

type ProfileSettings = ReturnType<typeof toFormValues>

function changesOf(values: ProfileSettings, before: ProfileSettings) {
  const { notifications: wanted, ...rest } = changedValues(values, before)
  return { ...rest, ...(wanted ? { notifications: changedValues(wanted, before.notifications) } : {}) }
}
const withChanges = (values: ProfileSettings, changes: ReturnType<typeof changesOf>): ProfileSettings => ({
  ...values,
  ...changes,
  notifications: { ...values.notifications, ...changes.notifications },
})

/** The form of a profile. It sends and keeps what is changed in it alone: another window may have saved the rest. */
function useProfileSettings(stored: Profile) {
  const form = useForm({ initialValues: toFormValues(stored), validate: formValidator(profileSchema) })
  const saving = useSaveProfile(form, () => notifications.show({ color: 'green', message: 'Profile saved' }))
  const save = (sent: ProfileSettings): void =>
    saving.mutate(changesOf(sent, form.getInitialValues()), {
      onSuccess: (saved) => {
        const values = toFormValues(saved)
        // What was entered while it was on its way is not saved yet.
        adoptSaved(form, values, withChanges(values, changesOf(form.getValues(), sent)))
      },
    })
  const draft = useKeptDraft({
    ...{ name: 'profile', value: changesOf(form.values, form.getInitialValues()), isDirty: form.isDirty() },
    apply: (changes) => form.setValues(withChanges(form.getInitialValues(), changes)),
    reset: form.reset,
  })
  return { form, saving, save, draft }
}

/** Everything a person says about themselves, saved together. */
export function ProfileSettingsForm({ stored }: { stored: Profile }) {
  const timeZone = useSession().workspace?.settings.timeZone ?? 'UTC'
  const [now] = useState(() => new Date().toISOString())
  const choices = useMemo(() => dateFormatOptions(now, timeZone), [now, timeZone])
  const { form, saving, save, draft } = useProfileSettings(stored)
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <DraftNotice draft={draft} />
      <Stack gap="lg">
        <FormError error={saving.error} />
        <SectionCard title="About you">
          <ProfileFields form={form} />
        </SectionCard>
        <SectionCard title="Dates and times" description="Numbers follow the workspace.">
          <Select
            label="Date format"
            data={choices}
            value={form.values.locale ?? DEFAULT_LOCALE}
            error={form.errors['locale']}
            onChange={(value) => form.setFieldValue('locale', isPersonLocale(value) ? value : null)}
          />
        </SectionCard>
        <SectionCard title="Email notifications">
          {stored.email === null && (
            <Alert color="yellow">
              Add an email to get notifications.{' '}
              <LinkAnchor to="/settings/profile/authentication" size="sm" underline="always">
                Add email
              </LinkAnchor>
            </Alert>
          )}
          <NotificationFields
            value={form.values.notifications}
            onChange={(next) => form.setFieldValue('notifications', next)}
          />
        </SectionCard>
        <FormFooter>
          <Button variant="default" disabled={!form.isDirty()} onClick={form.reset}>
            Discard changes
          </Button>
          <Button type="submit" disabled={!form.isDirty()} loading={saving.isPending}>
            Save profile
          </Button>
        </FormFooter>
      </Stack>
    </form>
  )
}
