import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { OnboardingLayout } from './onboarding-frame'
import { useOnboardingStep } from './use-step'
import { FormError } from '../../ui/form-error'

export interface ProfileStepProps {
  onReached: () => void
  /** The form; `finish` moves on, `skip` is the way past it. */
  children: (finish: () => void, skip: ReactNode) => ReactNode
}

export function ProfileStep({ onReached, children }: ProfileStepProps) {
  const step = useOnboardingStep('source', onReached)
  const skip = (
    <Button variant="subtle" color="gray" onClick={() => step.mutate()} loading={step.isPending}>
      Skip
    </Button>
  )
  return (
    <OnboardingLayout
      step={1}
      title="A little about you"
      sentence="Colleagues see your name. The rest tells us what you want from your figures."
    >
      <FormError error={step.error} />
      {children(() => step.mutate(), skip)}
    </OnboardingLayout>
  )
}
