import { Text } from '@mantine/core'
import classes from './members.module.css'
import { LeaveButton } from './leave-workspace'
import { ROLE_TEXT } from './role-words'
import { PersonAvatar } from '../../ui/person-avatar'
import { NeutralBadge } from '../../ui/quiet-badge'
import type { Member } from '../../../src/shared/members'

/** Names, pictures and roles: all that people are told who do not look after members. */
export function MemberNameList({ members }: { members: readonly Member[] }) {
  return (
    <ul className={`surface ${classes.names}`} aria-label="Members">
      {members.map((member) => (
        <li key={member.userId}>
          <PersonAvatar name={member.name} picture={member.avatar} />
          <div className={classes.nameWords}>
            <span className={classes.name}>
              {member.name}
              {member.self && <NeutralBadge>You</NeutralBadge>}
            </span>
            {member.self && <LeaveButton member={member} />}
          </div>
          <Text size="sm" c="dimmed">
            {ROLE_TEXT[member.role].name}
          </Text>
        </li>
      ))}
    </ul>
  )
}
