import { Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './auth-frame.module.css'
import { BrandIllustration } from './brand-figure'
import { Logo } from '../../ui/logo'

const TAGLINE = 'Upplev trygghet och högre lönsamhet genom insikt i realtid.'

export interface AuthLayoutProps {
  title: string
  below: ReactNode
  children: ReactNode
}

/** The page around sign-in and registration: the promise beside the form, above it on narrow screens. */
export function AuthLayout({ title, below, children }: AuthLayoutProps) {
  useDocumentTitle(`${title} · Insikt`)
  return (
    <div className={classes.frame}>
      <div className={classes.side}>
        <Logo />
        <div className={classes.sideFigure}>
          <BrandIllustration />
        </div>
        <p className={classes.sidePromise} lang="sv">
          {TAGLINE}
        </p>
      </div>
      <div className={classes.form}>
        <div className={classes.card}>
          <div className={classes.narrowOnly}>
            <Logo />
            <p className={classes.promise} lang="sv">
              {TAGLINE}
            </p>
          </div>
          <Title order={1} fz={28} lh={1.25} mb="lg">
            {title}
          </Title>
          {children}
          <Text size="sm" c="dimmed" mt="lg">
            {below}
          </Text>
        </div>
      </div>
    </div>
  )
}
