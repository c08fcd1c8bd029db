import { Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { verifyMessage } from './queries'
import { FormDialog } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'
import { BOT_QUESTION_MAX_CHARS } from '../../../src/shared/bot/interpretation'
import type { BotMessage } from '../../../src/shared/bot/conversations'

/** Binds a wording to the plan of an answer. */
export function VerifyDialog({ message, onClose }: { message: BotMessage; onClose: () => void }) {
  const [question, setQuestion] = useState(message.question)
  const verify = useMutation({
    mutationFn: () => verifyMessage(message.id, question.trim()),
    onSuccess: () => {
      notifications.show({ message: 'Answer verified' })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Verify answer"
      submit="Verify answer"
      pending={verify.isPending}
      disabled={question.trim() === ''}
      onSubmit={() => verify.mutate()}
      onClose={onClose}
    >
      <Textarea
        label="Question"
        description="This wording, and similar ones, get this answer"
        autosize
        minRows={2}
        maxLength={BOT_QUESTION_MAX_CHARS}
        value={question}
        data-autofocus
        onChange={(event) => setQuestion(event.currentTarget.value)}
      />
      <FormError error={verify.error} />
    </FormDialog>
  )
}
