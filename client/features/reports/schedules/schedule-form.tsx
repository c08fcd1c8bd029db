import { Checkbox, SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import type { Report } from '../../../../src/shared/reports/reports'
import { createScheduleSchema, DELIVERY_FORMATS, type ReportSchedule } from '../../../../src/shared/reports/schedules'
import { formValidator } from '../../../lib/validate-form'
import { useSession } from '../../../lib/session'
import { useFormDraft } from '../../../lib/writes/kept-draft'
import { DraftNotice } from '../../../ui/forms/draft-notice'
import { DialogForm } from '../../../ui/forms/form-dialog'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import { MutedText } from '../../../ui/muted-text'
import { newScheduleValues, toScheduleInput, toScheduleValues, type ScheduleFormValues } from './form-values'
import { useCreateSchedule, useUpdateSchedule } from './queries'
import { RecipientFields } from './recipient-fields'
import { RecipientFilterFields } from './recipient-filters'
import { FORMAT_LABELS } from './schedule-text'
import { TimingFields } from './timing-fields'

interface ScheduleFormProps {
  report: Report
  /** Null: a new one. */
  schedule: ReportSchedule | null
  onClose: () => void
}
const check = formValidator(createScheduleSchema)
/** The first sentence about recipients, and the one about days, beside their fields. */
function validate(values: ScheduleFormValues): Record<string, string> {
  const faults = Object.entries(check(toScheduleInput(values)))
  return Object.fromEntries(faults.map(([path, said]) => [fieldOf(path), said]))
}
const fieldOf = (path: string): string => (path.startsWith('recipients') ? 'people' : (path.split('.').at(-1) ?? path))
const isFormat = (text: string): text is ScheduleFormValues['format'] => DELIVERY_FORMATS.some((one) => one === text)

/** A new schedule, or one that is there. */
export function ScheduleForm({ report, schedule, onClose }: ScheduleFormProps) {
  const me = useSession().user?.id ?? ''
  const initialValues = schedule ? toScheduleValues(schedule) : newScheduleValues(me, report.kind)
  const form = useForm<ScheduleFormValues>({ initialValues, validate })
  const draft = useFormDraft(form, {
    name: `schedule:${schedule?.id ?? report.id}`,
    base: schedule && String(schedule.version),
  })
  const create = useCreateSchedule()
  const update = useUpdateSchedule()
  const { error, isPending } = schedule ? update : create
  const after = {
    onSuccess: () => {
      draft.clear()
      notifications.show({ message: schedule ? 'Schedule saved' : 'Schedule created' })
      onClose()
    },
    onError: (problem: unknown) => {
      const said = fieldErrors(problem)
      if (said?.['recipients'] !== undefined) form.setFieldError('people', said['recipients'])
      if (said?.['addresses'] !== undefined) form.setFieldError('addresses', said['addresses'])
    },
  }
  const save = (values: ScheduleFormValues): void => {
    const input = { ...toScheduleInput(values), report: report.id }
    const { active } = values
    if (schedule) update.mutate({ ...input, id: schedule.id, version: schedule.version, active }, after)
    else create.mutate(input, after)
  }
  const { values } = form
  const isLegacy = report.kind === 'legacy'
  return (
    <DialogForm
      submit={schedule ? 'Save schedule' : 'Create schedule'}
      pending={isPending}
      onSubmit={form.onSubmit(save)}
      onClose={onClose}
    >
      <DraftNotice draft={draft} />
      <FormError error={fieldErrors(error) === null ? error : null} />
      {schedule && <Switch label="Active" {...form.getInputProps('active', { type: 'checkbox' })} />}
      <TimingFields form={form} isLegacy={isLegacy} />
      <Stack gap={4}>
        <Text size="sm" fw={500} id="schedule-format">
          Send as
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="schedule-format"
          data={DELIVERY_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
          value={values.format}
          onChange={(text) => {
            if (isFormat(text)) form.setFieldValue('format', text)
          }}
        />
        {isLegacy && <MutedText size="xs">The newest edition of the period is sent.</MutedText>}
      </Stack>
      <RecipientFields form={form} schedule={schedule} />
      {!isLegacy && <RecipientFilterFields form={form} filters={report.published?.filters ?? []} />}
      {!isLegacy && (
        <Stack gap="xs">
          <Checkbox
            label="Hold until the data is complete"
            description="Waits while an import failed, or no data was imported since the period ended. You’re emailed."
            {...form.getInputProps('hold', { type: 'checkbox' })}
          />
          <Checkbox label="Don’t send without data" {...form.getInputProps('skipEmpty', { type: 'checkbox' })} />
        </Stack>
      )}
      {schedule && schedule.ownerId !== me && (
        <MutedText size="xs">Saving makes you the owner: outside recipients then see what you can access.</MutedText>
      )}
    </DialogForm>
  )
}
