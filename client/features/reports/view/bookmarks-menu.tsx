import { ActionIcon, Button, Group, Menu, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { IconBookmark, IconBookmarkPlus, IconTrash } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { notifications } from '@mantine/notifications'
import type { ReportBookmark } from '../../../../src/shared/reports/reports'
import { useIsViewingAs } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { FormError } from '../../../ui/forms/form-error'
import { FormDialog } from '../../../ui/forms/form-dialog'
import { notifyError } from '../../../ui/notify-error'
import { bookmarksQuery, useAddBookmark, useDeleteBookmark } from '../queries'

/** Of the address, what says how the report is looked at. */
const VIEW_KEYS = ['page', 'period', 'compare', 'filters', 'marks']

/** A reader's own views of a report, by name. */
export const BookmarksMenu = memo(function BookmarksMenu({ reportId }: { reportId: string }) {
  const bookmarks = useQuery(bookmarksQuery(reportId))
  const [naming, setNaming] = useState(false)
  const isViewing = useIsViewingAs()
  const readOnly = (useSession().workspace?.entitlements.readOnly ?? null) !== null
  const may = !isViewing && !readOnly
  const items = bookmarks.data ?? []
  if (!may && items.length === 0) return null
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />}>
            Bookmarks
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {items.map((bookmark) => (
            <BookmarkItem key={bookmark.id} reportId={reportId} bookmark={bookmark} mayDelete={may} />
          ))}
          {items.length > 0 && may && <Menu.Divider />}
          {may && (
            <Menu.Item leftSection={<IconBookmarkPlus size={16} aria-hidden />} onClick={() => setNaming(true)}>
              Save this view
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {naming && <NewBookmark reportId={reportId} onClose={() => setNaming(false)} />}
    </>
  )
})

interface BookmarkItemProps {
  reportId: string
  bookmark: ReportBookmark
  mayDelete: boolean
}

function BookmarkItem({ reportId, bookmark, mayDelete }: BookmarkItemProps) {
  const navigate = useNavigate()
  const remove = useDeleteBookmark()
  const apply = (): void => {
    const search: Record<string, unknown> = JSON.parse(bookmark.search)
    void navigate({
      to: '/reports/interactive/$id',
      params: { id: reportId },
      search: (old) => ({ ...('w' in old ? { w: old.w } : {}), ...search }),
    })
  }
  return (
    <Group gap={0} wrap="nowrap">
      <Menu.Item onClick={apply}>{bookmark.name}</Menu.Item>
      {mayDelete && (
        <ActionIcon
          variant="subtle"
          color="gray"
          mr={4}
          aria-label={`Delete bookmark ${bookmark.name}`}
          onClick={() => remove.mutate({ id: reportId, bookmark: bookmark.id }, { onError: notifyError })}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  )
}

function NewBookmark({ reportId, onClose }: { reportId: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const add = useAddBookmark()
  const search = useRouterState({ select: (state): Record<string, unknown> => state.location.search })
  const save = (): void => {
    const view = Object.fromEntries(Object.entries(search).filter(([key]) => VIEW_KEYS.includes(key)))
    add.mutate(
      { id: reportId, name, search: JSON.stringify(view) },
      {
        onSuccess: () => {
          notifications.show({ message: 'Bookmark saved' })
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title="Save this view"
      submit="Save bookmark"
      pending={add.isPending}
      disabled={name.trim() === ''}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Keeps page, period and filters. Only you see it."
        value={name}
        maxLength={80}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FormError error={add.error} />
    </FormDialog>
  )
}
