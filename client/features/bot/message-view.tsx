import { Stack, Text } from '@mantine/core'
import { AnswerCard, ClarifyCard, RefusalCard, RightsChanged, type AnswerActions } from './answer-card'
import classes from './bot.module.css'
import type { BotSlots } from './bot-slots'
import type { ReplyExtras } from './use-asking'
import { WayCard } from './way-card'
import { ErrorState } from '../../ui/error-state'
import { ApiError } from '../../lib/api'
import { readingOf, type BotMessage } from '../../../src/shared/bot/conversations'

interface MessageViewProps {
  message: BotMessage
  extras: ReplyExtras | undefined
  slots: BotSlots
  busy: boolean
  /** Absent: a copy to read. */
  actions?: AnswerActions | undefined
  onChoose?: ((choice: number) => void) | undefined
}

/** A question and what came of it. */
export function MessageView({ message, actions, ...parts }: MessageViewProps) {
  const { extras, busy } = parts
  return (
    <>
      <Text className={classes.question}>{message.question}</Text>
      {extras?.error ? (
        <ErrorState
          error={new ApiError(200, extras.error)}
          {...(actions ? { onRetry: () => actions.onAsk(message.question, message.id) } : {})}
        />
      ) : (
        <Reply message={message} actions={actions} {...parts} busy={busy} />
      )}
    </>
  )
}

function Reply({ message, extras, slots, busy, actions, onChoose }: MessageViewProps) {
  const { reply } = message
  const onAsk = actions && ((question: string) => actions.onAsk(question, message.id))
  if (!reply)
    return (
      <RightsChanged
        busy={busy}
        onAsk={onAsk && message.asked === 'text' ? () => onAsk(message.question) : undefined}
      />
    )
  if (reply.kind === 'refuse') return <RefusalCard reply={reply} busy={busy} onAsk={onAsk} />
  if (reply.kind === 'clarify') return <ClarifyCard reply={reply} busy={busy} onChoose={onChoose} />
  const reading = readingOf(reply)
  return (
    <Stack gap="sm">
      {reply.kind === 'way' && reply.way !== 'why' && <WayCard reply={reply} slots={slots} readOnly={!actions} />}
      {reading && <AnswerCard {...{ message, reading, extras, slots, busy, actions }} />}
    </Stack>
  )
}
