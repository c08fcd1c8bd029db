import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { updateConversation } from './queries'
import { FormDialog } from '../../ui/forms/form-dialog'
import { FormError } from '../../ui/forms/form-error'
import type { BotConversation } from '../../../src/shared/bot/conversations'

export function RenameDialog({ conversation, onClose }: { conversation: BotConversation; onClose: () => void }) {
  const [title, setTitle] = useState(conversation.title)
  const save = useMutation({
    mutationFn: () => updateConversation({ ...conversation, title: title.trim() }),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title="Rename conversation"
      submit="Save name"
      pending={save.isPending}
      disabled={title.trim() === ''}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={title}
        maxLength={80}
        data-autofocus
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <FormError error={save.error} />
    </FormDialog>
  )
}
