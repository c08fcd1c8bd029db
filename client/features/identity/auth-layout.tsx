import { Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import classes from './auth-layout.module.css'
import { Logo } from '../../ui/logo'

const BARS = [34, 46, 40, 58, 52, 70, 64, 84, 76, 98, 92, 118]

/** A drawing of twelve rising months with their trend; decoration only. */
function BrandIllustration() {
  const top = (height: number) => 150 - height
  const trend = BARS.map((height, index) => `${18 + index * 35},${top(height) - 16}`).join(' ')
  return (
    <svg viewBox="0 0 420 170" width="100%" aria-hidden="true" focusable="false">
      {[30, 70, 110, 150].map((y) => (
        <path key={y} d={`M0 ${y}H420`} stroke="#fff" strokeOpacity=".12" />
      ))}
      {BARS.map((height, index) => (
        <rect
          key={height}
          x={8 + index * 35}
          y={top(height)}
          width="20"
          height={height}
          rx="3"
          fill={index === BARS.length - 1 ? '#5cc3dc' : '#fff'}
          fillOpacity={index === BARS.length - 1 ? 1 : 0.16}
        />
      ))}
      <polyline points={trend} fill="none" stroke="#5cc3dc" strokeWidth="2.2" strokeLinejoin="round" />
      <circle cx={18 + 11 * 35} cy={top(118) - 16} r="4.5" fill="#5cc3dc" />
    </svg>
  )
}

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
