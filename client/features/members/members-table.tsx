import { MutedText } from '../../ui/muted-text'
import { Badge, Table, Text } from '@mantine/core'
import type { OverLimitMembers } from './over-limit-members'
import { MemberMenu, LeaveButton } from './member-actions'
import classes from './members.module.css'
import cards from '../../ui/card-table.module.css'
import { ROLE_TEXT } from './roles'
import { useFormat } from '../../lib/format'
import { PersonAvatar } from '../../ui/person-avatar'
import { NeutralBadge } from '../../ui/neutral-badge'
import type { Member } from '../../../src/shared/members'

export interface MembersTableProps {
  members: readonly Member[]
  frozen: OverLimitMembers
  /** When they were read, epoch ms. */
  now: number
}

/** The members as dense rows; on a narrow screen each becomes a card. */
export function MembersTable({ members, frozen, now }: MembersTableProps) {
  const grouped = members.some(({ groups }) => groups.length > 0)
  return (
    <div className="surface" style={{ overflow: 'auto' }}>
      <Table className={`${cards.table} ${classes.table}`} aria-label="Members">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Role</Table.Th>
            {grouped && <Table.Th>Groups</Table.Th>}
            <Table.Th>Last seen</Table.Th>
            <Table.Th>Joined</Table.Th>
            <Table.Th className={classes.menuCell}>
              <span className="only-reader">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <MemberRow key={member.userId} member={member} {...{ grouped, frozen, now }} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

type MemberRowProps = Omit<MembersTableProps, 'members'> & { member: Member; grouped: boolean }

function MemberRow({ member, grouped, frozen, now }: MemberRowProps) {
  const format = useFormat()
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.personCell}>
        <span className={classes.person}>
          <PersonAvatar name={member.name} picture={member.avatar} size={28} />
          <span className={classes.personWords}>
            <span className={classes.name}>
              {member.name}
              {member.self && <NeutralBadge>You</NeutralBadge>}
              {member.status === 'suspended' && (
                <Badge size="sm" color="yellow">
                  Suspended
                </Badge>
              )}
              {frozen.withoutSeat.has(member.userId) && (
                <Badge size="sm" color="yellow">
                  No seat
                </Badge>
              )}
            </span>
            {member.email !== null && <span className={classes.email}>{member.email}</span>}
          </span>
        </span>
      </Table.Th>
      <Table.Td data-label="Role">
        <span>
          {ROLE_TEXT[member.role].name}
          {frozen.actingAsViewers.has(member.userId) && (
            <Text span size="xs" c="dimmed" display="block">
              Acting as viewer
            </Text>
          )}
        </span>
      </Table.Td>
      {grouped && (
        <Table.Td data-label="Groups">
          {member.groups.length === 0 ? <Text size="sm">–</Text> : <GroupTags groups={member.groups} />}
        </Table.Td>
      )}
      <Table.Td data-label="Last seen">
        {member.lastSeenAt === null ? 'Never' : format.ago(member.lastSeenAt, now)}
      </Table.Td>
      <Table.Td data-label="Joined">{format.day(member.joinedAt)}</Table.Td>
      <Table.Td className={classes.menuCell}>
        <MemberMenu member={member} />
      </Table.Td>
    </Table.Tr>
  )
}

/** The groups somebody belongs to. */
export function GroupTags({ groups }: { groups: Member['groups'] }) {
  return (
    <span className={classes.groups}>
      {groups.map(({ id, name, color }) => (
        <Badge key={id} size="sm" variant="dot" color={color}>
          {name}
        </Badge>
      ))}
    </span>
  )
}

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
          <MutedText>{ROLE_TEXT[member.role].name}</MutedText>
        </li>
      ))}
    </ul>
  )
}
