import { Stack, TextInput, UnstyledButton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReportKind } from '../../../../src/shared/reports/report-kinds'
import type { ReportTemplate } from '../../../../src/shared/reports/reports'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import { FormDialog } from '../../../ui/forms/form-dialog'
import { createReport } from '../queries'
import { REPORT_PATHS } from '../../../lib/report-paths'
import classes from './list.module.css'
import { TemplatePicture, TEMPLATES } from './templates'

interface NewReportProps {
  /** Absent: as the template usually is. */
  kind?: ReportKind | undefined
  template?: ReportTemplate
  onClose: () => void
}

/** A new report: a template, and a name. */
/** A month’s statements are frozen when they are published; boards live on. */
const usualKind = (template: ReportTemplate): ReportKind => (template === 'monthEnd' ? 'legacy' : 'interactive')

export function NewReport({ kind, template: first = 'monday', onClose }: NewReportProps) {
  const navigate = useNavigate()
  const [template, setTemplate] = useState<ReportTemplate>(first)
  const [name, setName] = useState<string | null>(null)
  const suggested = TEMPLATES.find((one) => one.template === template)?.suggestedName ?? ''
  const create = useMutation({
    mutationFn: createReport,
    onSuccess: ({ id, kind: made }) => navigate({ to: REPORT_PATHS[made], params: { id }, search: { edit: true } }),
  })
  const fields = fieldErrors(create.error) ?? {}
  return (
    <FormDialog
      title="New report"
      size="xl"
      submit="Create report"
      pending={create.isPending}
      disabled={(name ?? suggested).trim() === ''}
      onSubmit={() => create.mutate({ kind: kind ?? usualKind(template), template, name: (name ?? suggested).trim() })}
      onClose={onClose}
    >
      <Stack gap="md">
        <TemplateChoice chosen={template} onChoose={setTemplate} />
        <TextInput
          label="Name"
          value={name ?? suggested}
          maxLength={80}
          error={fields['name']}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {fields['name'] === undefined && <FormError error={create.error} />}
      </Stack>
    </FormDialog>
  )
}

interface TemplateChoiceProps {
  chosen?: ReportTemplate
  onChoose: (template: ReportTemplate) => void
}

/** Templates as pictures of what they lay out. */
export const TemplateChoice = ({ chosen, onChoose }: TemplateChoiceProps) => (
  <div className={classes.templateRoom}>
    <div className={classes.templates} role="group" aria-label="Templates">
      {TEMPLATES.map(({ template, name, gives }) => (
        <UnstyledButton
          key={template}
          className={classes.template}
          {...(chosen === undefined ? {} : { 'aria-pressed': chosen === template })}
          onClick={() => onChoose(template)}
        >
          <TemplatePicture template={template} />
          <span className={classes.templateName}>{name}</span>
          <span className={classes.templateGives}>{gives}</span>
        </UnstyledButton>
      ))}
    </div>
  </div>
)
