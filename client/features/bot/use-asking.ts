import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { askQuestion } from './ask-stream'
import { addMessage } from './queries'
import { ApiError } from '../../lib/api'
import { planResultQuery } from '../../lib/plan-result'
import { readingOf, type AskInput, type BotReply } from '../../../src/shared/bot/conversations'

/** A question under way. */
export interface PendingQuestion {
  question: string
  /** What it is read as, once that is known. */
  words: string | null
}
/** What came with an answer beside its message: shown until the page is left. */
export type ReplyExtras = Pick<BotReply, 'followUps' | 'drivers' | 'error' | 'figures'>

export interface QuestionState {
  pending: PendingQuestion | null
  error: Error | null
  /** What was typed and got no answer: it goes back to where it was typed. */
  unsent: string | null
  /** By message. */
  extras: ReadonlyMap<string, ReplyExtras>
  /** What a screen reader is told. */
  announced: string
  /** @param conversation its id, or what begins it */
  ask: (conversation: string | (() => Promise<string>), input: AskInput, question: string) => Promise<void>
  cancel: () => void
}

/** Asks one question at a time; the answer is put into the conversation that is on screen. */
export function useAsking(): QuestionState {
  const client = useQueryClient()
  const [pending, setPending] = useState<PendingQuestion | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [unsent, setUnsent] = useState<string | null>(null)
  const [extras, setExtras] = useState<ReadonlyMap<string, ReplyExtras>>(new Map())
  const [announced, setAnnounced] = useState('')
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const take = useCallback(
    async (conversationId: string, { message, ...rest }: BotReply, replaces: string | undefined) => {
      const reading = readingOf(message.reply)
      if (reading && rest.figures) client.setQueryData(planResultQuery(reading.plan).queryKey, rest.figures.result)
      setExtras((before) => new Map(before).set(message.id, rest))
      setAnnounced(announcement(message.reply, rest))
      await addMessage(conversationId, message, replaces)
    },
    [client],
  )

  const ask = useCallback(
    async (conversation: string | (() => Promise<string>), input: AskInput, question: string) => {
      running.current?.abort()
      const own = new AbortController()
      running.current = own
      setError(null)
      setUnsent(null)
      setPending({ question, words: null })
      try {
        const conversationId = typeof conversation === 'string' ? conversation : await conversation()
        for await (const { event, data } of askQuestion(conversationId, input, own.signal)) {
          if (event === 'understood') setPending({ question, words: data.words })
          else if (event === 'error') throw new ApiError(200, data)
          else if (event !== 'reading')
            await take(conversationId, data, input.kind === 'text' ? input.replaces : undefined)
        }
      } catch (thrown) {
        if (own.signal.aborted || !(thrown instanceof Error)) return
        setError(thrown)
        if (input.kind === 'text') setUnsent(question)
      } finally {
        if (running.current === own) setPending(null)
      }
    },
    [take],
  )
  const cancel = useCallback(() => running.current?.abort(), [])
  return { pending, error, unsent, extras, announced, ask, cancel }
}

function announcement(reply: BotReply['message']['reply'], { figures, error }: ReplyExtras): string {
  if (error) return error.message
  if (figures) return figures.sentence
  if (reply?.kind === 'clarify') return reply.question
  if (reply?.kind === 'refuse') return reply.message
  return reply?.words ?? ''
}
