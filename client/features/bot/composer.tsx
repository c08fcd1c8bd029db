import { ActionIcon, Textarea, Tooltip } from '@mantine/core'
import { IconMicrophone, IconPlayerStopFilled, IconSend } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import classes from './bot.module.css'
import { useVoiceInput } from './voice-input'
import { useKeptDraft } from '../../lib/writes/kept-draft'
import { DOUBLE_CLICK_MS } from '../../lib/writes/single-flight'
import { useIsEnrolled } from '../../lib/plan/early-access'
import { BOT_QUESTION_MAX_CHARS } from '../../../src/shared/bot/interpretation'

interface ComposerProps {
  busy: boolean
  disabled?: boolean
  /** What was asked and got no answer. */
  unsent: string | null
  /** The last question, to be asked again in other words. */
  last: { id: string; question: string } | null
  onAsk: (question: string, replaces: string | undefined) => void
  onCancel: () => void
}

/** Where questions are typed: Enter asks, Shift+Enter begins a new line, ↑ brings the last one back. */
export function Composer({ busy, disabled = false, unsent, last, onAsk, onCancel }: ComposerProps) {
  const [text, setText] = useState('')
  const [replaces, setReplaces] = useState<string | undefined>(undefined)
  const field = useRef<HTMLTextAreaElement>(null)
  /** When a question was sent, by the clock of events. */
  const sentAt = useRef(-Infinity)
  const mayVoice = useIsEnrolled('voice')
  const voice = useVoiceInput((spoken) => setText(spoken))
  const question = text.trim()
  const kept = useKeptDraft({
    ...{ name: 'bot:question', value: text, isDirty: question !== '' && replaces === undefined },
    apply: setText,
    reset: () => setText(''),
  })
  useEffect(() => {
    if (unsent !== null) setText((typed) => (typed === '' ? unsent : typed))
  }, [unsent])
  const send = (at: number): void => {
    if (question === '' || busy || disabled) return
    sentAt.current = at
    onAsk(question, replaces)
    kept.clear()
    setText('')
    setReplaces(undefined)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault()
      send(event.timeStamp)
    } else if (event.key === 'ArrowUp' && text === '' && last && !busy) {
      event.preventDefault()
      setText(last.question)
      setReplaces(last.id)
    } else if (event.key === 'Escape' && replaces !== undefined) {
      event.preventDefault()
      setText('')
      setReplaces(undefined)
    }
  }
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault()
        send(event.timeStamp)
      }}
    >
      <Textarea
        ref={field}
        aria-label="Question"
        placeholder="Ask about your data"
        description={replaces === undefined ? undefined : 'Edits your last question'}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={BOT_QUESTION_MAX_CHARS}
        value={text}
        disabled={disabled}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        className={classes.field}
      />
      {mayVoice && voice && (
        <Tooltip label={voice.listening ? 'Stop listening' : 'Speak'}>
          <ActionIcon
            size={36}
            variant={voice.listening ? 'filled' : 'default'}
            aria-label={voice.listening ? 'Stop listening' : 'Speak'}
            aria-pressed={voice.listening}
            disabled={disabled}
            onClick={voice.toggle}
          >
            <IconMicrophone size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {busy ? (
        <ActionIcon
          size={36}
          variant="default"
          aria-label="Stop"
          // It stands where the question was sent: the second half of a double click does not take it back.
          onClick={({ timeStamp }) => timeStamp - sentAt.current >= DOUBLE_CLICK_MS && onCancel()}
        >
          <IconPlayerStopFilled size={18} aria-hidden />
        </ActionIcon>
      ) : (
        <ActionIcon size={36} type="submit" aria-label="Ask" disabled={question === '' || disabled}>
          <IconSend size={18} aria-hidden />
        </ActionIcon>
      )}
    </form>
  )
}
