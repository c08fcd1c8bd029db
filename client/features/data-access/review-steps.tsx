import { Stack } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { KeptDraft } from '../../lib/writes/kept-draft'
import { DraftNotice } from '../../ui/forms/draft-notice'
import { DialogForm } from '../../ui/forms/form-dialog'
import { PolicyReview, type PolicyReviewProps } from './policy-review'
import type { PolicyChange } from './policy-saving'

export interface ReviewStepsProps extends Pick<
  PolicyReviewProps,
  'access' | 'saved' | 'theirs' | 'outcome' | 'onClose'
> {
  /** What the form makes of the policy; null while something is missing. */
  change: PolicyChange | null
  /** Says beside its field what is missing. */
  onMissing?: () => void
  /** Unsaved work of the form, which is done with once it is saved. */
  draft?: KeptDraft
  /** What leads to the second step, and what saves there: a verb and its object. */
  ask: string
  save: string
  children: ReactNode
}

/** A form in a dialog; then what it would mean, and saved. */
export function ReviewSteps(props: ReviewStepsProps) {
  const { change, onMissing, draft, ask, save, onClose, children, ...review } = props
  const [step, setStep] = useState<'form' | 'review' | 'back'>('form')
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // What led to the review has the focus again.
    if (step === 'back') form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus()
  }, [step])
  if (step === 'review' && change)
    return (
      <PolicyReview
        {...{ ...review, change, onClose }}
        submit={save}
        cancel="Back"
        onCancel={() => setStep('back')}
        onSaved={() => {
          draft?.clear()
          onClose()
        }}
      />
    )
  return (
    <Stack gap={0} ref={form}>
      {draft && <DraftNotice draft={draft} />}
      <DialogForm
        submit={ask}
        disabled={change === null && onMissing === undefined}
        onSubmit={() => (change ? setStep('review') : onMissing?.())}
        onClose={onClose}
      >
        {children}
      </DialogForm>
    </Stack>
  )
}
