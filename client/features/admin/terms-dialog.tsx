import { DateField } from '../../ui/forms/date-field'
import { DialogForm } from '../../ui/forms/form-dialog'
import { QueryStatus } from '../../ui/query-view'
import { Checkbox, NumberInput, SimpleGrid, SegmentedControl, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WorkspaceTerms, WorkspaceTermsInput, AdminWorkspace } from '../../../src/shared/admin'
import { GATE_NAMES, LIMIT_NAMES, planById, TRIAL_FEATURES } from '../../../src/shared/billing/plans'
import type { LimitName, PlanFeatures } from '../../../src/shared/billing/plans'
import { FEATURE_LABELS, limitTitle } from '../../lib/plan/plan-labels'
import { termsQuery, useSetTerms } from './queries'
import { dayFromIso, isoFromDay } from '../../../src/shared/dates'
import { instantOf, localDay } from '../../../src/shared/reports/schedule-dates'
import { applyFieldErrors, FormError } from '../../ui/forms/form-error'
import { FormSkeleton } from '../../ui/skeletons'
import { Dialog } from '../../ui/dialog'

/** Where the administration names a limit otherwise than the product does. */
const ADMIN_LIMIT_LABELS: Partial<Record<LimitName, string>> = { aiMessages: 'AI messages per month', feeds: 'Feeds' }
const TERMS_KINDS = ['trial', 'enterprise', 'legacy'] as const
/** What the form holds. */
interface TermsFormValues {
  kind: (typeof TERMS_KINDS)[number]
  trialDay: string
  features: PlanFeatures
  reason: string
}

/** What an agreement or a trial has unless it says otherwise. */
const defaultFeatures = (kind: TermsFormValues['kind']): PlanFeatures =>
  kind === 'trial' ? TRIAL_FEATURES : (planById(kind)?.features ?? TRIAL_FEATURES)

const termsKindOf = ({ planId }: WorkspaceTerms): TermsFormValues['kind'] =>
  TERMS_KINDS.find((kind) => kind === planId) ?? 'trial'

/** The day of an instant on the workspace's clock. */
export const dayIn = (timeZone: string, at: number): string => isoFromDay(localDay(at, timeZone))
/** The last instant of a day on the workspace's clock. */
const endOfDay = (day: string, timeZone: string): string =>
  new Date(instantOf((dayFromIso(day) ?? 0) + 1, 0, timeZone) - 1).toISOString()

function toTermsValues(terms: WorkspaceTerms, timeZone: string, now: number): TermsFormValues {
  const kind = termsKindOf(terms)
  const features = { ...defaultFeatures(kind), ...terms.override }
  return {
    kind,
    trialDay: dayIn(timeZone, terms.trialEndsAt === null ? now : Date.parse(terms.trialEndsAt)),
    features,
    reason: '',
  }
}

/** What the call takes: of the features only what differs from the base. The trial ends with its day where the workspace is. */
function toTermsInput(
  { kind, trialDay, features, reason }: TermsFormValues,
  { version, timeZone }: { version: number; timeZone: string },
): WorkspaceTermsInput {
  const base = defaultFeatures(kind)
  const differs = (name: keyof PlanFeatures): boolean => features[name] !== base[name]
  const override = Object.fromEntries(
    Object.entries(features).filter(([name]) => FEATURE_NAMES.some((one) => one === name && differs(one))),
  )
  return {
    planId: kind === 'trial' ? null : kind,
    override: Object.keys(override).length === 0 ? null : override,
    trialEndsAt: kind === 'trial' ? endOfDay(trialDay, timeZone) : null,
    reason,
    version,
  }
}
const FEATURE_NAMES: readonly (keyof PlanFeatures)[] = [
  ...LIMIT_NAMES,
  ...GATE_NAMES,
  'syncFrequencyHours',
  'consultingHours',
  'support',
]

const LIMIT_MAX = 1_000_000
const HOURS_MAX = 168

interface TermsFeaturesProps {
  /** AI messages of a trial count over all of it. */
  isTrial: boolean
  features: PlanFeatures
  onChange: (part: Partial<PlanFeatures>) => void
}

/** Every limit and gate; an empty limit is none. */
function TermsFeatures({ isTrial, features, onChange }: TermsFeaturesProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {LIMIT_NAMES.map((name) => (
          <NumberInput
            key={name}
            label={
              isTrial && name === 'aiMessages' ? 'AI messages in total' : (ADMIN_LIMIT_LABELS[name] ?? limitTitle(name))
            }
            placeholder="Unlimited"
            allowDecimal={false}
            allowNegative={false}
            max={LIMIT_MAX}
            value={features[name] ?? ''}
            onChange={(value) => onChange({ [name]: value === '' ? null : Number(value) })}
          />
        ))}
        <NumberInput
          label="Hours between syncs"
          allowDecimal={false}
          min={1}
          max={HOURS_MAX}
          value={features.syncFrequencyHours}
          onChange={(value) => onChange({ syncFrequencyHours: Number(value) || 1 })}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {GATE_NAMES.map((name) => (
          <Checkbox
            key={name}
            label={FEATURE_LABELS[name].name}
            checked={features[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
          />
        ))}
      </SimpleGrid>
    </>
  )
}

const KIND_LABELS: Record<TermsFormValues['kind'], string> = {
  trial: 'Trial',
  enterprise: 'Enterprise',
  legacy: 'Legacy',
}

/** On which terms a workspace is used: a longer trial, or an agreement with limits of its own. */
export function TermsDialog({ workspace, onClose }: { workspace: AdminWorkspace; onClose: () => void }) {
  const terms = useQuery(termsQuery(workspace.id))
  return (
    <Dialog opened onClose={onClose} title={`Terms of ${workspace.name}`} size="lg">
      <QueryStatus query={terms} skeleton={<FormSkeleton />} />
      {terms.data?.subscribed && (
        <Text>This workspace has a paid plan. Cancel its subscription before setting terms.</Text>
      )}
      {terms.data && !terms.data.subscribed && <TermsForm workspace={workspace} terms={terms.data} onClose={onClose} />}
    </Dialog>
  )
}

interface TermsFormProps {
  workspace: AdminWorkspace
  terms: WorkspaceTerms
  onClose: () => void
}
/** Today's terms to be changed, and saving them. */
function useTermsForm({ workspace, terms, onClose }: TermsFormProps) {
  const [now] = useState(() => Date.now())
  const { timeZone } = workspace
  const form = useForm({
    initialValues: toTermsValues(terms, timeZone, now),
    validate: {
      trialDay: (day: string, { kind }: TermsFormValues) => (kind === 'trial' && day === '' ? 'Enter a date.' : null),
      reason: (text: string) => (text.trim().length < 3 ? 'Enter a reason.' : null),
    },
  })
  const { mutate, isPending, error } = useSetTerms(workspace.id)
  const save = (values: TermsFormValues) =>
    mutate(toTermsInput(values, { version: terms.version, timeZone }), {
      onSuccess: () => {
        notifications.show({ color: 'green', message: `Terms of ${workspace.name} set` })
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
    <DialogForm submit="Set terms" pending={isPending} onSubmit={form.onSubmit(save)} onClose={props.onClose}>
      <FormError error={error} />
      <SegmentedControl
        aria-label="Terms"
        data={TERMS_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }))}
        value={form.values.kind}
        onChange={choose}
      />
      {form.values.kind === 'trial' && <DateField label="Trial end date" {...form.getInputProps('trialDay')} />}
      <TermsFeatures
        isTrial={form.values.kind === 'trial'}
        features={form.values.features}
        onChange={(part) => form.setFieldValue('features', { ...form.values.features, ...part })}
      />
      <TextInput
        label="Reason"
        description="Shown in the audit log"
        maxLength={200}
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  )
}
