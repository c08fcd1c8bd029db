import { useState } from 'react'
import { newStep, stepFaults, type StepPlace } from './step-drafts'
import { StepFields } from './step-fields'
import { FormDialog } from '../../../ui/forms/form-dialog'
import { CLEANING_LABELS, type CleaningKind, type CleaningStep } from '../../../../src/shared/data-sources/cleaning'

export interface StepDialogProps extends StepPlace {
  /** A step that is there, or the kind of a new one. */
  of: CleaningStep | CleaningKind
  onSave: (step: CleaningStep) => void
  onClose: () => void
}

/** One step of a recipe: its settings. What is wrong is said when it is saved. */
export function StepDialog({ of, columns, decimalMark, onSave, onClose }: StepDialogProps) {
  const isNew = typeof of === 'string'
  const [step, setStep] = useState(() => (isNew ? newStep(of, { columns, decimalMark }) : of))
  const [isChecked, setIsChecked] = useState(false)
  const faults = stepFaults(step)
  const save = () => {
    setIsChecked(true)
    if (Object.keys(faults).length > 0) return
    onSave(step)
    onClose()
  }
  return (
    <FormDialog
      title={CLEANING_LABELS[step.kind]}
      submit={isNew ? 'Add step' : 'Save step'}
      onSubmit={save}
      onClose={onClose}
    >
      <StepFields step={step} columns={columns} faults={isChecked ? faults : {}} onChange={setStep} />
    </FormDialog>
  )
}
