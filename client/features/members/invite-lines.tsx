import { Text, Title } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconMinus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { OUTCOME_TEXT, describeSent } from './invite-words'
import classes from './members.module.css'
import { LinkAnchor } from '../../ui/links'
import type { InviteResult } from '../../../src/shared/invites'

/** What became of each address that was sent. Takes the focus, so that a reader of the screen hears it first. */
export function InviteResults({ lines }: { lines: readonly InviteResult[] }) {
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (lines.length > 0) head.current?.focus()
  }, [lines])
  if (lines.length === 0) return null
  return (
    <section className="surface" style={{ padding: '14px 16px', marginBottom: 24 }} aria-label="What was sent">
      <Title order={2} ref={head} tabIndex={-1} mb={4} style={{ outline: 'none' }}>
        {describeSent(lines)}
      </Title>
      <ul className={classes.lines}>
        {lines.map(({ typed, outcome }, at) => (
          <li key={`${at} ${typed}`}>
            <span>{typed}</span>
            <OutcomeLabel outcome={outcome} />
          </li>
        ))}
      </ul>
      <LinkAnchor to="/settings/workspace/members" search={{ tab: 'invitations' }} size="sm">
        See all invitations
      </LinkAnchor>
    </section>
  )
}

const TONE_STYLES = {
  good: { colour: 'var(--good)', icon: IconCheck },
  muted: { colour: 'var(--text-muted)', icon: IconMinus },
  bad: { colour: 'var(--bad)', icon: IconAlertCircle },
} as const

function OutcomeLabel({ outcome }: Pick<InviteResult, 'outcome'>) {
  const { words, tone } = OUTCOME_TEXT[outcome]
  const { colour, icon: Icon } = TONE_STYLES[tone]
  return (
    <Text span size="sm" c={colour} className={classes.outcome}>
      <Icon size={16} aria-hidden />
      {words}
    </Text>
  )
}
