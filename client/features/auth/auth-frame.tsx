import { Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './auth-frame.module.css'
import { BrandFigure } from './brand-figure'
import { Logo } from '../../ui/logo'

const PROMISE = 'Upplev trygghet och högre lönsamhet genom insikt i realtid.'

export interface AuthFrameProps {
  title: string
  below: ReactNode
  children: ReactNode
}

/** The page around sign-in and registration: the promise beside the form, above it on narrow screens. */
export function AuthFrame({ title, below, children }: AuthFrameProps) {
  useDocumentTitle(`${title} · Insikt`)
  return (
    <div className={classes.frame}>
      <div className={classes.side}>
        <Logo />
        <div className={classes.sideFigure}>
          <BrandFigure />
        </div>
        <p className={classes.sidePromise} lang="sv">
          {PROMISE}
        </p>
      </div>
      <div className={classes.form}>
        <div className={classes.card}>
          <div className={classes.narrowOnly}>
            <Logo />
            <p className={classes.promise} lang="sv">
              {PROMISE}
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
