import { useMutation } from '@tanstack/react-query'
import { Text, Title, Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { saveOnboardingStep } from './queries'
import classes from './onboarding.module.css'
import { Logo } from '../../ui/logo'
import { FormError } from '../../ui/forms/form-error'

/** Moves to a step; the screen shows `error` and may try again. */
function useOnboardingStep(step: 'profile' | 'source' | 'done', onReached?: () => void) {
  return useMutation({ mutationFn: () => saveOnboardingStep(step), ...(onReached ? { onSuccess: onReached } : {}) })
}

const ONBOARDING_STEPS = ['Workspace', 'Profile', 'Data'] as const

export interface OnboardingLayoutProps {
  /** 0-based. */
  step: number
  title: string
  sentence: string
  /** Room for tables and previews. */
  wide?: boolean
  /** Top right: a way back into the product. */
  corner?: ReactNode
  children: ReactNode
}

/** One of the three first steps, with where it stands among them. */
export function OnboardingLayout({ step, title, sentence, wide = false, corner, children }: OnboardingLayoutProps) {
  useDocumentTitle(`${title} · Insikt`)
  const stateOf = (index: number) => (index < step ? 'done' : index === step ? 'current' : 'next')
  return (
    <div className={classes.frame}>
      <div className={classes.head}>
        <Logo />
        {corner}
      </div>
      <div className={classes.column} data-wide={wide}>
        <ol className={classes.steps} aria-label="First steps">
          {ONBOARDING_STEPS.map((label, index) => (
            <li
              key={label}
              className={classes.step}
              data-state={stateOf(index)}
              aria-current={index === step ? 'step' : undefined}
            >
              {label}
              {index < step && <span className="only-reader">, done</span>}
            </li>
          ))}
        </ol>
        <Title order={1} fz={28} lh={1.25}>
          {title}
        </Title>
        <Text c="dimmed" mt={4} mb="lg">
          {sentence}
        </Text>
        <div className={wide ? undefined : `surface ${classes.card}`}>{children}</div>
      </div>
    </div>
  )
}

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
    <OnboardingLayout step={1} title="About you" sentence="Your colleagues see your name.">
      <FormError error={step.error} />
      {children(() => step.mutate(), skip)}
    </OnboardingLayout>
  )
}

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
      Skip
    </Button>
  )
  return (
    <OnboardingLayout
      step={2}
      wide
      corner={skip}
      title="Import your data"
      sentence="Upload an Excel, CSV, JSON or SIE file."
    >
      <FormError error={step.error} />
      {children(() => step.mutateAsync())}
    </OnboardingLayout>
  )
}
