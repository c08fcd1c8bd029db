import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { OnboardingLayout } from './onboarding-frame'
import { useOnboardingStep } from './use-step'
import { FormError } from '../../ui/form-error'

export interface SourceStepProps {
  onSkipped: () => void
  /** Takes in the first file; `finish` ends the first steps. */
  children: (finish: () => Promise<unknown>) => ReactNode
}

export function SourceStep({ onSkipped, children }: SourceStepProps) {
  const step = useOnboardingStep('done')
  const skip = (
    <Button
      variant="subtle"
      color="gray"
      loading={step.isPending}
      onClick={() => step.mutate(undefined, { onSuccess: onSkipped })}
    >
      Skip for now
    </Button>
  )
  return (
    <OnboardingLayout
      step={2}
      wide
      corner={skip}
      title="Bring in your first data"
      sentence="Drop your files: an Excel sheet, an export of sales, your bookkeeping. You see how they were read before anything is loaded."
    >
      <FormError error={step.error} />
      {children(() => step.mutateAsync())}
    </OnboardingLayout>
  )
}
