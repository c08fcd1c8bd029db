import { TagsInput } from '@mantine/core'
import { MultiSelect } from '../../../ui/forms/multi-select'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { groupsQuery } from '../../../lib/queries/group-queries'
import { useState } from 'react'
import { emailSchema } from '../../../../src/shared/session'
import { RECIPIENTS_MAX, recipientKey, type ReportSchedule } from '../../../../src/shared/reports/schedules'
import { Gate } from '../../../lib/gate'
import { MutedText } from '../../../ui/muted-text'
import { LinkAnchor } from '../../../ui/buttons/links'
import { memberRecipientsQuery } from './queries'
import type { ScheduleFormValues } from './form-values'

type Form = UseFormReturnType<ScheduleFormValues>

/** Members, groups, and addresses outside the workspace. */
export function RecipientFields({ form, schedule }: { form: Form; schedule: ReportSchedule | null }) {
  const members = useQuery(memberRecipientsQuery())
  const groups = useQuery(groupsQuery())
  const people = (members.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }))
  const teams = (groups.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  // Who is not in the lists any more, or beyond their first hundred, keeps their name.
  const listed = new Set([...people, ...teams].map(({ value }) => value))
  const others = (schedule?.recipients ?? [])
    .filter((one) => one.kind !== 'address' && !listed.has(recipientKey(one)))
    .map((one) => ({ value: recipientKey(one), label: one.name ?? 'Removed' }))
  const isLink = form.values.format === 'link'
  return (
    <>
      <MultiSelect
        label="Members and groups"
        description="Each sees only what they can access"
        placeholder={form.values.people.length === 0 ? 'No one' : ''}
        searchable
        maxValues={RECIPIENTS_MAX}
        data={[
          { group: 'Members', items: [...people, ...others] },
          { group: 'Groups', items: teams },
        ].filter(({ items }) => items.length > 0)}
        {...form.getInputProps('people')}
      />
      <Gate
        needs="reportSharing"
        otherwise={
          <MutedText size="xs">
            Outside addresses aren’t included in your plan.{' '}
            <LinkAnchor to="/settings/workspace/subscription">View plans</LinkAnchor>
          </MutedText>
        }
      >
        {isLink && form.values.addresses.length === 0 ? (
          <MutedText size="xs">Choose PDF or Excel workbook to send to outside addresses.</MutedText>
        ) : (
          <AddressesField form={form} />
        )}
      </Gate>
    </>
  )
}

function AddressesField({ form }: { form: Form }) {
  const [wrong, setWrong] = useState<string | null>(null)
  const change = (given: string[]): void => {
    const read = given.map((text) => ({ text, email: emailSchema.safeParse(text) }))
    const bad = read.find(({ email }) => !email.success)
    setWrong(bad ? `“${bad.text}” isn’t an email address.` : null)
    form.setFieldValue('addresses', [...new Set(read.flatMap(({ email }) => (email.success ? [email.data] : [])))])
  }
  return (
    <TagsInput
      label="Outside addresses"
      description="Allowed domains only. They see what you can access"
      placeholder={form.values.addresses.length === 0 ? 'name@company.com' : ''}
      value={form.values.addresses}
      onChange={change}
      maxTags={RECIPIENTS_MAX}
      splitChars={[',', ' ', ';']}
      acceptValueOnBlur
      error={wrong ?? form.errors['addresses']}
    />
  )
}
