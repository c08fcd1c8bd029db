import { useState } from 'react'
import { newStep, stepFaults } from './step-drafts'
import { StepFields } from './step-fields'
import { FormDialog } from '../../../ui/forms/form-dialog'
import { CLEANING_LABELS, type CleaningKind, type CleaningStep } from '../../../../src/shared/data-sources/cleaning'

export interface StepDialogProps {
  /** A step that is there, or the kind of a new one. */
  of: CleaningStep | CleaningKind
  /** Names of the columns before it. */
  columns: readonly string[]
  onSave: (step: CleaningStep) => void
  onClose: () => void
}

/** One step of a recipe: its settings. What is wrong is said when it is saved. */
export function StepDialog({ of, columns, onSave, onClose }: StepDialogProps) {
  const isNew = typeof of === 'string'
  const [step, setStep] = useState(() => (isNew ? newStep(of, columns) : of))
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
