import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconCheck, IconRotate } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReportComment, ReportComments } from '../../../../src/shared/reports/comments'
import { useFormat } from '../../../lib/format'
import { useMay } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { useKeptDraft } from '../../../lib/writes/kept-draft'
import { SideDrawer } from '../../../ui/dialog'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'
import { MutedText } from '../../../ui/muted-text'
import { QueryView } from '../../../ui/query-view'
import { TableSkeleton } from '../../../ui/skeletons'
import { MentionTextarea, mentionedUserIds, type MentionedPerson } from '../note-form'
import { NoteItem } from '../note-item'
import notes from '../notes.module.css'
import { commentsQuery, createComment, deleteComment, resolveComments, updateComment } from './queries'

interface CommentsDrawerProps {
  report: string
  block: string
  title: string
  onClose: () => void
}

/** What is said of a block, the oldest first, and room to answer. */
export function CommentsDrawer({ title, onClose, ...at }: CommentsDrawerProps) {
  const list = useQuery(commentsQuery(at.report))
  return (
    <SideDrawer opened onClose={onClose} position="right" size="md" title={`Comments on ${title}`}>
      <QueryView query={list} skeleton={<TableSkeleton count={3} />}>
        {(comments) => <Thread {...at} comments={comments} />}
      </QueryView>
    </SideDrawer>
  )
}

type At = Pick<CommentsDrawerProps, 'report' | 'block'>

function Thread({ report, block, comments }: At & { comments: ReportComments }) {
  const readOnly = (useSession().workspace?.entitlements.readOnly ?? null) !== null
  const may = useMay('create:comment') && !readOnly && comments.blocks.includes(block)
  const [showsResolved, setShowsResolved] = useState(false)
  const own = comments.items.filter((one) => one.block === block)
  const open = own.filter(({ resolvedAt }) => resolvedAt === null)
  const resolved = own.filter(({ resolvedAt }) => resolvedAt !== null)
  const withheld = comments.withheld[block] ?? 0
  return (
    <Stack gap="md">
      {resolved.length > 0 && !showsResolved && (
        <Button variant="subtle" size="xs" style={{ alignSelf: 'start' }} onClick={() => setShowsResolved(true)}>
          {resolved.length === 1 ? 'Show 1 resolved comment' : `Show ${resolved.length} resolved comments`}
        </Button>
      )}
      {showsResolved && <Items comments={resolved} readOnly={!may} />}
      <Items comments={open} readOnly={!may} />
      {own.length === 0 && (
        <MutedText size="sm">
          {may ? 'No comments yet. Ask a question or explain the figures.' : 'No comments yet.'}
        </MutedText>
      )}
      {withheld > 0 && (
        <MutedText size="sm">
          {withheld === 1 ? '1 comment isn’t' : `${withheld} comments aren’t`} shown: written by people with different
          data access.
        </MutedText>
      )}
      {may && own.length > 0 && <ResolveButton report={report} block={block} resolved={open.length === 0} />}
      {may && <NewCommentForm report={report} block={block} mayRelease={comments.mayRelease} />}
    </Stack>
  )
}

function Items({ comments, readOnly }: { comments: readonly ReportComment[]; readOnly: boolean }) {
  const format = useFormat()
  if (comments.length === 0) return null
  const asideOf = ({ audience, resolvedAt, resolvedByName }: ReportComment): string | undefined => {
    if (resolvedAt !== null) return `resolved by ${resolvedByName ?? 'a former member'} ${format.dateTime(resolvedAt)}`
    return audience === 'everyone' ? 'visible to everyone' : undefined
  }
  return (
    <ul className={notes.list}>
      {comments.map((comment) => (
        <NoteItem
          key={comment.id}
          note={comment}
          pinnedTo={null}
          aside={asideOf(comment)}
          isDone={comment.resolvedAt !== null}
          readOnly={readOnly}
          onSave={(input) => updateComment(comment, input)}
          onDelete={() => deleteComment(comment)}
        />
      ))}
    </ul>
  )
}

function ResolveButton({ report, block, resolved }: At & { resolved: boolean }) {
  const resolving = useMutation({ mutationFn: () => resolveComments(report, { block, resolved: !resolved }) })
  return (
    <Group>
      <Button
        size="xs"
        variant="default"
        loading={resolving.isPending}
        leftSection={resolved ? <IconRotate size={14} aria-hidden /> : <IconCheck size={14} aria-hidden />}
        onClick={() => resolving.mutate()}
      >
        {resolved ? 'Reopen' : 'Resolve'}
      </Button>
      <FormError error={resolving.error} />
    </Group>
  )
}

function NewCommentForm({ report, block, mayRelease }: At & { mayRelease: boolean }) {
  const [text, setText] = useState('')
  const [people, setPeople] = useState<MentionedPerson[]>([])
  const [forEveryone, setForEveryone] = useState(false)
  const draft = useKeptDraft({
    ...{ name: `comment:${report}:${block}`, value: { text, people }, isDirty: text.trim() !== '' },
    apply: (kept) => {
      setText(kept.text)
      setPeople(kept.people)
    },
    reset: () => setText(''),
  })
  const writing = useMutation({
    mutationFn: () =>
      createComment(report, {
        ...{ block, body: text, mentions: mentionedUserIds(text, people) },
        audience: forEveryone ? 'everyone' : 'sameRights',
      }),
    onSuccess: () => {
      draft.clear()
      setText('')
      setPeople([])
      setForEveryone(false)
    },
  })
  const fields = fieldErrors(writing.error)
  const send = (): void => {
    if (text.trim() !== '' && !writing.isPending) writing.mutate()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Stack gap="xs">
        <MentionTextarea
          isFirst
          label="Your comment"
          value={text}
          error={fields?.['body'] ?? fields?.['mentions']}
          onChange={setText}
          onMention={(person) => setPeople([...people, person])}
          onSubmit={send}
        />
        {mayRelease && (
          <Checkbox
            size="xs"
            label="Also show to people with different data access"
            description="Leave off when you quote figures."
            checked={forEveryone}
            onChange={(event) => setForEveryone(event.currentTarget.checked)}
          />
        )}
        {fields === null && <FormError error={writing.error} />}
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed" visibleFrom="xs">
            Ctrl+Enter posts
          </Text>
          <Button type="submit" loading={writing.isPending} disabled={text.trim() === ''}>
            Post comment
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
