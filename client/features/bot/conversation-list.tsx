import { Button, SegmentedControl, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import classes from './bot.module.css'
import { conversationsQuery, deleteConversation, updateConversation } from './queries'
import { RenameDialog } from './rename-dialog'
import { MoreMenu } from '../../ui/buttons/more-menu'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { SearchField } from '../../ui/forms/search-field'
import { MutedText } from '../../ui/muted-text'
import { notifyError } from '../../ui/notify-error'
import { QueryStatus } from '../../ui/query-view'
import type { BotConversation } from '../../../src/shared/bot/conversations'

interface ConversationListProps {
  current: string | undefined
  mayWrite: boolean
  onOpen: (id: string | undefined) => void
}

/** The person's own conversations, the last used first. */
export function ConversationList({ current, mayWrite, onOpen }: ConversationListProps) {
  const [q, setQ] = useState('')
  const [archived, setArchived] = useState(false)
  const [renamed, setRenamed] = useState<BotConversation | null>(null)
  const list = useInfiniteQuery(conversationsQuery({ q, archived }))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Stack gap="sm">
      {mayWrite && (
        <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen(undefined)}>
          New conversation
        </Button>
      )}
      <SearchField label="Search conversations" value={q} onChange={setQ} />
      <SegmentedControl
        size="xs"
        aria-label="Which conversations"
        value={archived ? 'archived' : 'active'}
        data={[
          { value: 'active', label: 'Active' },
          { value: 'archived', label: 'Archived' },
        ]}
        onChange={(value) => setArchived(value === 'archived')}
      />
      <QueryStatus query={list} skeleton={<MutedText size="sm">Loading…</MutedText>} />
      {list.data && items.length === 0 && (
        <MutedText size="sm">
          {q === ''
            ? archived
              ? 'No archived conversations'
              : 'No conversations yet'
            : `No conversations match “${q}”`}
        </MutedText>
      )}
      <ul className={classes.list} aria-label="Conversations">
        {items.map((item) => (
          <li key={item.id} className={classes.item} data-current={item.id === current || undefined}>
            <UnstyledButton
              className={classes.open}
              onClick={() => onOpen(item.id)}
              aria-current={item.id === current ? 'page' : undefined}
            >
              <Text size="sm" truncate>
                {item.title}
              </Text>
            </UnstyledButton>
            {mayWrite && (
              <ConversationMenu
                conversation={item}
                onRename={setRenamed}
                onGone={() => item.id === current && onOpen(undefined)}
              />
            )}
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          size="compact-sm"
          variant="subtle"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      {renamed && <RenameDialog conversation={renamed} onClose={() => setRenamed(null)} />}
    </Stack>
  )
}

function ConversationMenu(props: {
  conversation: BotConversation
  onRename: (conversation: BotConversation) => void
  onGone: () => void
}) {
  const { conversation, onRename, onGone } = props
  const { archived, title } = conversation
  const remove = async (): Promise<void> => {
    await deleteConversation(conversation)
    onGone()
  }
  return (
    <MoreMenu
      label={`More for ${title}`}
      items={[
        { label: 'Rename', onClick: () => onRename(conversation) },
        {
          label: archived ? 'Unarchive' : 'Archive',
          onClick: () => void updateConversation({ ...conversation, archived: !archived }).catch(notifyError),
        },
        {
          label: 'Delete conversation',
          color: 'red',
          onClick: () =>
            confirmDestructive({
              title: 'Delete conversation?',
              message: `Deletes “${title}” and its shared copy. Can’t be undone.`,
              confirm: 'Delete conversation',
              onConfirm: () => remove().catch(notifyError),
            }),
        },
      ]}
    />
  )
}
