import { Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './onboarding-frame.module.css'
import { Logo } from '../../ui/logo'

const ONBOARDING_STEPS = ['Workspace', 'You', 'First data'] as const

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
