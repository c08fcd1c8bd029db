import { Badge, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { OUTCOME, sentWords } from './invite-words'
import classes from './members.module.css'
import { LinkAnchor } from '../../ui/links'
import type { InviteLine } from '../../../src/shared/invites'

/** What became of each address that was sent. Takes the focus, so that a reader of the screen hears it first. */
export function InviteLines({ lines }: { lines: readonly InviteLine[] }) {
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (lines.length > 0) head.current?.focus()
  }, [lines])
  if (lines.length === 0) return null
  return (
    <section className="surface" style={{ padding: '14px 16px', marginBottom: 24 }} aria-label="What was sent">
      <Title order={2} ref={head} tabIndex={-1} mb={4} style={{ outline: 'none' }}>
        {sentWords(lines)}
      </Title>
      <ul className={classes.lines}>
        {lines.map(({ typed, outcome }, at) => (
          <li key={`${at} ${typed}`}>
            <span>{typed}</span>
            <Badge
              size="sm"
              color={OUTCOME[outcome].tone}
              styles={{ root: { height: 'auto', maxWidth: '100%' }, label: { whiteSpace: 'normal', paddingBlock: 2 } }}
            >
              {OUTCOME[outcome].words}
            </Badge>
          </li>
        ))}
      </ul>
      <LinkAnchor to="/settings/workspace/members" search={{ tab: 'invitations' }} size="sm">
        See all invitations
      </LinkAnchor>
    </section>
  )
}
