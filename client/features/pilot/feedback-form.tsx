import { Button, Group, Radio, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { FEEDBACK_MAX_CHARS, type PilotItem } from '../../../src/shared/pilot/pilot'
import { notifyError } from '../../ui/notify-error'
import { sendFeedback } from './queries'

const SCORES = [1, 2, 3, 4, 5] as const

/** A score from 1 to 5 and a few words; the last one counts. */
export function FeedbackForm({ item: { key, title, feedback } }: { item: PilotItem }) {
  const [isOpen, setOpen] = useState(false)
  const [score, setScore] = useState(feedback?.score ?? null)
  const [text, setText] = useState(feedback?.text ?? '')
  const [pending, setPending] = useState(false)
  if (!isOpen)
    return (
      <Group>
        <Button size="compact-xs" variant="subtle" onClick={() => setOpen(true)}>
          {feedback ? `Change feedback (${feedback.score} of 5)` : 'Give feedback'}
        </Button>
      </Group>
    )
  const send = (): void => {
    if (score === null) return
    setPending(true)
    void sendFeedback(key, { score, text })
      .then(() => {
        notifications.show({ color: 'green', message: 'Feedback sent' })
        setOpen(false)
      })
      .catch(notifyError)
      .finally(() => setPending(false))
  }
  return (
    <form
      aria-label={`Feedback on ${title}`}
      style={{ display: 'grid', gap: 10, maxWidth: 480 }}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <Radio.Group
        label="How well does it work?"
        description="1 poor, 5 great"
        value={score === null ? null : String(score)}
        onChange={(value) => setScore(Number(value))}
      >
        <Group gap="md" mt={6}>
          {SCORES.map((value) => (
            <Radio key={value} value={String(value)} label={String(value)} />
          ))}
        </Group>
      </Radio.Group>
      <Textarea
        label="What would make it better?"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={FEEDBACK_MAX_CHARS}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => setOpen(false)}>
          Cancel
        </Button>
        <Button size="xs" type="submit" loading={pending} disabled={score === null}>
          Send feedback
        </Button>
      </Group>
    </form>
  )
}
