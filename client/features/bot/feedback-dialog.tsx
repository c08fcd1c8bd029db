import { Select, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { sendFeedback } from './queries'
import { FormDialog } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'
import {
  BOT_FEEDBACK_KINDS,
  BOT_FEEDBACK_LABELS,
  type BotFeedbackKind,
  type BotMessage,
} from '../../../src/shared/bot/conversations'

const REASON_MAX = 500
const isKind = (text: string | null): text is BotFeedbackKind => BOT_FEEDBACK_KINDS.some((kind) => kind === text)

/** Says what is wrong with an answer. */
export function FeedbackDialog(props: { conversationId: string; message: BotMessage; onClose: () => void }) {
  const { conversationId, message, onClose } = props
  const [kind, setKind] = useState<BotFeedbackKind>(message.feedback?.kind ?? 'misunderstood')
  const [reason, setReason] = useState(message.feedback?.reason ?? '')
  const send = useMutation({
    mutationFn: () => sendFeedback(conversationId, message.id, { kind, reason }),
    onSuccess: () => {
      notifications.show({ message: 'Answer reported' })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Wrong answer"
      submit="Send report"
      pending={send.isPending}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <Select
        label="What’s wrong"
        data={BOT_FEEDBACK_KINDS.map((value) => ({ value, label: BOT_FEEDBACK_LABELS[value] }))}
        value={kind}
        allowDeselect={false}
        onChange={(value) => isKind(value) && setKind(value)}
      />
      <Textarea
        label="What did you expect?"
        description="Analysts see this and your question"
        autosize
        minRows={2}
        maxLength={REASON_MAX}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <FormError error={send.error} />
    </FormDialog>
  )
}
