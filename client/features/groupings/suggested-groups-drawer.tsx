import { QueryStatus } from '../../ui/query-view'
import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { newGroupId, type GroupingEditorContext } from './grouping-draft'
import { suggestQuery } from './queries'
import { useFormat } from '../../lib/format'
import type { SuggestedGroup } from '../../../src/shared/groupings/groupings'
import { MutedText } from '../../ui/muted-text'
import { SideDrawer } from '../../ui/dialog'

const MEMBERS_SHOWN_MAX = 6

/** Spellings that look alike. Nothing happens until each is accepted, and each can be undone. */
export function SuggestedGroupsDrawer(props: GroupingEditorContext & { onClose: () => void }) {
  const { grouping, onClose } = props
  const [handled, setHandled] = useState<ReadonlySet<string>>(new Set())
  const found = useQuery(suggestQuery(grouping.id, grouping.version))
  const remaining = (found.data?.groups ?? []).filter((one) => !handled.has(suggestionKey(one)))
  return (
    <SideDrawer opened onClose={onClose} position="right" title="Suggested groups" size="md">
      <Stack gap="md">
        <MutedText>Ungrouped values with similar spelling</MutedText>
        <QueryStatus query={found} skeleton={<Skeleton h={160} aria-hidden />} />
        {found.data && remaining.length === 0 && (
          <Text>{handled.size === 0 ? 'No suggestions' : 'No more suggestions'}</Text>
        )}
        {remaining.map((one) => (
          <SuggestedGroupCard
            key={suggestionKey(one)}
            {...props}
            suggested={one}
            onDone={() => setHandled(new Set([...handled, suggestionKey(one)]))}
          />
        ))}
      </Stack>
    </SideDrawer>
  )
}
const suggestionKey = ({ groupId, name, values }: SuggestedGroup): string =>
  `${groupId ?? 'new'} ${name} ${values[0]?.member ?? ''}`

function SuggestedGroupCard({
  suggested,
  at,
  act,
  onDone,
}: GroupingEditorContext & { suggested: SuggestedGroup; onDone: () => void }) {
  const format = useFormat()
  const [name, setName] = useState(suggested.name)
  const { groupId, values, rows } = suggested
  const members = values.map(({ member }) => member)
  const more = members.length - MEMBERS_SHOWN_MAX
  const accept = (): void => {
    if (groupId === null)
      act({ kind: 'addGroup', at, id: newGroupId(), name: name.trim(), parentId: null, values: members })
    else act({ kind: 'move', at, values: members, to: groupId })
    onDone()
  }
  return (
    <section className="surface" aria-label={suggested.name} style={{ padding: 16 }}>
      <Stack gap="xs">
        {groupId === null ? (
          <TextInput
            size="xs"
            aria-label="Group name"
            maxLength={80}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        ) : (
          <Text fw={600}>To {suggested.name}</Text>
        )}
        <Text size="sm">
          {members.slice(0, MEMBERS_SHOWN_MAX).join(', ')}
          {more > 0 && ` and ${format.count(more)} more`}
        </Text>
        <MutedText size="xs">
          {format.count(rows)} {rows === 1 ? 'row' : 'rows'}
        </MutedText>
        <Group gap="xs">
          <Button size="xs" onClick={accept} disabled={groupId === null && name.trim() === ''}>
            Add group
          </Button>
          <Button size="xs" variant="default" onClick={onDone}>
            Dismiss
          </Button>
        </Group>
      </Stack>
    </section>
  )
}
