import { Alert, Button, CopyButton, Group, Loader, Text } from '@mantine/core'
import { IconShare } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { AnswerActions } from './answer-card'
import { ReadOnlyNote } from './bot-screen-parts'
import classes from './bot.module.css'
import type { BotSlots } from './bot-slots'
import { Composer } from './composer'
import { FeedbackDialog } from './feedback-dialog'
import { MessageView } from './message-view'
import { conversationQuery, shareConversation, unshareConversation } from './queries'
import type { QuestionState } from './use-asking'
import { VerifyDialog } from './verify-dialog'
import { useMayWrite } from '../../lib/gate'
import { ErrorState } from '../../ui/error-state'
import { FormError } from '../../ui/forms/form-error'
import { QueryError } from '../../ui/query-view'
import { ChartSkeleton } from '../../ui/skeletons'
import { workspaceId } from '../../lib/session'
import type { BotConversationDetail, BotMessage } from '../../../src/shared/bot/conversations'

interface ThreadProps {
  id: string
  asking: QuestionState
  slots: BotSlots
  mayWrite: boolean
}

/** A conversation from its first question to where the next is typed. */
export function ConversationThread({ id, ...parts }: ThreadProps) {
  const conversation = useQuery(conversationQuery(id))
  if (conversation.isPending) return <ChartSkeleton height={320} />
  if (!conversation.data) return <QueryError query={conversation} />
  return <Thread conversation={conversation.data} {...parts} />
}

function Thread({
  conversation,
  asking,
  slots,
  mayWrite,
}: Omit<ThreadProps, 'id'> & { conversation: BotConversationDetail }) {
  const { id, items, mine } = conversation
  const [wrong, setWrong] = useState<BotMessage | null>(null)
  const [verified, setVerified] = useState<BotMessage | null>(null)
  const mayVerify = useMayWrite('verify:insight')
  const end = useRef<HTMLDivElement>(null)
  const { pending, error, extras, ask } = asking
  const busy = pending !== null
  const count = items.length
  useEffect(() => {
    if (busy || count > 0) end.current?.scrollIntoView({ block: 'end' })
  }, [busy, count])
  const mayAsk = mine && mayWrite
  const actions: AnswerActions | undefined = mayAsk
    ? {
        onChangePlan: ({ id: message }, plan) => void ask(id, { kind: 'plan', message, plan }, 'Changed the answer'),
        onWrong: setWrong,
        onVerify: mayVerify ? setVerified : undefined,
        onAsk: (text, after) => void ask(id, { kind: 'text', text, after }, text),
      }
    : undefined
  const last = items.at(-1)
  return (
    <div className={classes.thread}>
      {mine ? (
        <ShareBar conversation={conversation} mayWrite={mayWrite} />
      ) : (
        <SharedNote name={conversation.ownerName} />
      )}
      {items.map((message) => (
        <MessageView
          key={message.id}
          {...{ message, slots, busy, actions }}
          extras={extras.get(message.id)}
          onChoose={
            mayAsk && message.id === last?.id
              ? (choice) => void ask(id, { kind: 'choice', message: message.id, choice }, 'Chose a reading')
              : undefined
          }
        />
      ))}
      {pending && (
        <>
          <Text className={classes.question}>{pending.question}</Text>
          <Group gap="xs" className={`surface ${classes.answer}`}>
            <Loader size="xs" aria-hidden />
            <Text size="sm">{pending.words ?? 'Reading…'}</Text>
          </Group>
        </>
      )}
      {error && <ErrorState error={error} />}
      {mine && !mayWrite && <ReadOnlyNote />}
      {mayAsk && (
        <Composer
          busy={busy}
          unsent={asking.unsent}
          last={last?.asked === 'text' ? last : null}
          onAsk={(text, replaces) =>
            void ask(id, { kind: 'text', text, ...(replaces === undefined ? {} : { replaces }) }, text)
          }
          onCancel={asking.cancel}
        />
      )}
      <div ref={end} />
      {wrong && <FeedbackDialog conversationId={id} message={wrong} onClose={() => setWrong(null)} />}
      {verified && <VerifyDialog message={verified} onClose={() => setVerified(null)} />}
    </div>
  )
}

const SharedNote = ({ name }: { name: string }) => (
  <Alert color="gray" title={`Shared by ${name}`}>
    A read-only copy. Figures are asked with your data access.
  </Alert>
)

/** Whether members can open a copy, and its address. */
function ShareBar({ conversation, mayWrite }: { conversation: BotConversationDetail; mayWrite: boolean }) {
  const { sharedAt, sharedMessages, messages, id } = conversation
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? shareConversation(conversation) : unshareConversation(conversation)),
  })
  if (!mayWrite || messages === 0) return null
  const address = `${window.location.origin}/insight-bot?conversation=${id}&w=${workspaceId()}`
  return (
    <Group gap="xs" justify="flex-end">
      {sharedAt !== null && (
        <>
          <Text size="sm" c="dimmed">
            {sharedMessages === messages
              ? 'Shared with the workspace'
              : `First ${sharedMessages} of ${messages} messages shared`}
          </Text>
          <CopyButton value={address}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy link'}
              </Button>
            )}
          </CopyButton>
          <Button size="compact-sm" variant="subtle" loading={change.isPending} onClick={() => change.mutate(false)}>
            Stop sharing
          </Button>
        </>
      )}
      {(sharedAt === null || sharedMessages < messages) && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconShare size={14} aria-hidden />}
          loading={change.isPending}
          onClick={() => change.mutate(true)}
        >
          {sharedAt === null ? 'Share copy' : 'Update copy'}
        </Button>
      )}
      <FormError error={change.error} />
    </Group>
  )
}
