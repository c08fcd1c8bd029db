import { Button, Collapse, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useForm, type UseFormReturnType } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import type { ZodError } from 'zod'
import { createForecastSchema, HORIZON_MAX, previewForecastSchema } from '../../../../src/shared/forecasts/forecasts'
import type { CreateForecastInput } from '../../../../src/shared/forecasts/forecasts'
import { ApiError } from '../../../lib/api'
import { formValidator } from '../../../lib/validate-form'
import { useHeldInput } from '../../../lib/writes/held-input'
import { useFormDraft } from '../../../lib/writes/kept-draft'
import { DraftNotice } from '../../../ui/forms/draft-notice'
import { applyFieldErrors, fieldErrors, FormError } from '../../../ui/forms/form-error'
import { SectionCard } from '../../../ui/section-card'
import { subjectKey, type ForecastableMetric } from './forecastable-metrics'
import {
  BalanceFields,
  AdvancedFields,
  HorizonFields,
  SubjectField,
  FiltersField,
  BreakdownField,
  useMetricDataset,
} from './forecast-fields'
import classes from './forecast-form.module.css'
import { toForecastSettings, completeEvents, type ForecastFormValues } from './form-values'
import { PreviewPane } from './preview-pane'
import { usePreview } from './use-preview'
import { FormFooter } from '../../../ui/forms/form-footer'

const FIELDS = [
  'name',
  'subject',
  'by',
  'horizon',
  'historyFrom',
  'seasonLength',
  'floor',
  'ceiling',
  'events',
  'opening',
]
const isNameTaken = (error: unknown): boolean => error instanceof ApiError && error.body.code === 'name_taken'

/** Saves what the form says. */
interface FormSave {
  mutate: (input: CreateForecastInput, after: { onError: (error: unknown) => void; onSaved: () => void }) => void
  isPending: boolean
  error: unknown
}
export interface ForecastFormProps {
  initial: ForecastFormValues
  forecastables: readonly ForecastableMetric[]
  /** What the button says. */
  action: string
  onCancel: () => void
  saving: FormSave
  /** What unsaved work is kept by, and what it began from. */
  draftOf: { name: string; base: string | null }
  /** One-offs: an editor of its own within the form. */
  events?: (form: UseFormReturnType<ForecastFormValues>) => ReactNode
}

/** Everything that a forecast is made by, beside what would come of it: figures of the server, computed in the page. */
export function ForecastForm(props: ForecastFormProps) {
  const { initial, forecastables, action, onCancel, saving, events } = props
  const form = useForm<ForecastFormValues>({ initialValues: initial })
  const draft = useFormDraft(form, props.draftOf)
  const fields = useRef<HTMLFormElement>(null)
  useHeldInput(fields, saving.isPending)
  const [more, toggle] = useDisclosure(initial.filters.length > 0)
  const { settings, fault } = usePreviewSettings(form.values)
  const preview = usePreview(settings)
  const save = useSubmit(form, saving, draft.clear)
  const { subject } = form.values
  const chosen = forecastables.find(({ key }) => subject && key === subjectKey(subject))
  const dataset = useMetricDataset(chosen)
  const isOpen = more || Object.keys(form.errors).some((path) => ADVANCED_FIELD_NAMES.has(path))
  return (
    <form ref={fields} noValidate onSubmit={save.submit} className={classes.columns}>
      <Stack gap="md" className={classes.fields}>
        <DraftNotice draft={draft} />
        <FormError error={save.error} />
        <SectionCard title="Definition">
          <Stack gap="sm">
            <SubjectField form={form} forecastables={forecastables} />
            <HorizonFields form={form} most={horizonMaxFor(preview.prepared?.periods.length)} />
            <BreakdownField form={form} chosen={chosen} dataset={dataset} />
            <TextInput label="Name" maxLength={80} {...form.getInputProps('name')} />
            <BalanceFields form={form} chosen={chosen} />
            <UnstyledButton onClick={toggle.toggle} aria-expanded={isOpen} className={classes.more}>
              {isOpen ? 'Fewer settings' : 'More settings'}
            </UnstyledButton>
            <Collapse expanded={isOpen}>
              <Stack gap="sm">
                {dataset && <FiltersField key={chosen?.key} form={form} dataset={dataset} />}
                <AdvancedFields form={form} />
              </Stack>
            </Collapse>
          </Stack>
        </SectionCard>
        {events?.(form)}
      </Stack>
      <PreviewPane
        preview={preview}
        isAsked={settings !== null}
        fault={fault}
        grain={form.values.grain}
        level={form.values.level}
        name={chosen?.label ?? form.values.name}
      />
      <div className={classes.actions}>
        <FormFooter>
          <Button
            variant="default"
            onClick={() => {
              draft.clear()
              onCancel()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {action}
          </Button>
        </FormFooter>
      </div>
    </form>
  )
}
/** Fields that stand within “More settings”. */
const ADVANCED_FIELD_NAMES: ReadonlySet<string> = new Set(['historyFrom', 'seasonLength', 'floor', 'ceiling'])

/** Steps ahead that so many periods of the past carry: half of them. */
const horizonMaxFor = (periods: number | undefined): number | null =>
  periods === undefined ? null : Math.max(1, Math.min(HORIZON_MAX, Math.floor(periods / 2)))

/**
 * What a preview is asked with: the newest settings that are sound, the same object while they say the same. Which band is
 * drawn changes no figure, so it asks nothing anew. `fault`: why the newest are not sound.
 */
function usePreviewSettings(values: ForecastFormValues) {
  const all = toForecastSettings(values)
  const text = JSON.stringify(all && { ...all, level: 80, events: completeEvents(values.events) })
  const parsed = useMemo(() => previewForecastSchema.nullable().safeParse(JSON.parse(text)), [text])
  const [sound, setSound] = useState(parsed.success ? parsed.data : null)
  if (parsed.success && parsed.data !== sound) setSound(parsed.data)
  return { settings: sound, fault: parsed.error ? settingsProblem(parsed.error) : null }
}
const FIELD_LABELS: Record<string, string> = {
  historyFrom: 'History from',
  floor: 'Minimum',
  ceiling: 'Maximum',
  season: 'Periods per season',
  accumulate: 'Opening balance',
}
/** Which field does not fit and why: that field may be far from the preview. */
function settingsProblem({ issues: [first] }: ZodError): string | null {
  if (!first) return null
  const label = FIELD_LABELS[String(first.path[0])]
  return label === undefined ? first.message : `${label}: ${first.message}`
}

function useSubmit(form: UseFormReturnType<ForecastFormValues>, { mutate, error }: FormSave, onSaved: () => void) {
  const submit = (event: { preventDefault: () => void }): void => {
    event.preventDefault()
    const settings = toForecastSettings(form.values)
    if (!settings) return form.setFieldError('subject', 'Choose what to forecast')
    const input = { ...settings, name: form.values.name }
    const faults = formValidator(createForecastSchema)(input)
    if (Object.keys(faults).length > 0) return form.setErrors(faults)
    mutate(input, {
      onSaved,
      onError: (problem) => {
        if (isNameTaken(problem)) form.setFieldError('name', 'Name already used')
        else applyFieldErrors(form, problem, FIELDS)
      },
    })
  }
  return { submit, error: isNameTaken(error) || fieldErrors(error) !== null ? null : error }
}
