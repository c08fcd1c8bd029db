import { z } from 'zod'
import { BOT_QUESTION_MAX_CHARS, type BotInterpretation, type BotReading } from './interpretation'
import { listQuerySchema, nameSchema, versionSchema } from '../field-schemas'
import type { ErrorBody } from '../errors'
import type { ChangeDrivers } from '../findings'
import { vizSchema } from '../insights'
import { idSchema } from '../ids'
import { queryPlanSchema } from '../query/plan'
import type { QueryResult } from '../query/result'

/** Conversations with the insight bot: questions in words, answered by plans. */

/** What read a question: the rules, an answer that somebody verified, or a language model. */
export const BOT_ENGINES = ['rules', 'verified', 'llm'] as const
export type BotEngine = (typeof BOT_ENGINES)[number]

/** Messages of one conversation: a new one is begun after these. */
export const BOT_MESSAGES_MAX = 200
/** Conversations of one person in a workspace, archived ones included. */
export const BOT_CONVERSATIONS_MAX = 1_000
/** Days after its last message for which a conversation is kept. */
export const BOT_RETENTION_DAYS = { min: 30, max: 365, usual: 90 } as const
/** Questions of one person in a minute. */
export const BOT_QUESTIONS_A_MINUTE = 60

export interface BotConversation {
  id: string
  title: string
  archived: boolean
  /** Since when members can open the copy that {@link BotConversation.sharedMessages} counts; null: private. ISO instant. */
  sharedAt: string | null
  /** Messages that the shared copy holds; later ones stay private. */
  sharedMessages: number
  messages: number
  /** False: the shared copy of somebody else's, to read only. */
  mine: boolean
  ownerName: string
  version: number
  createdAt: string
  updatedAt: string
}

/** What a person said was wrong. */
export const BOT_FEEDBACK_KINDS = ['wrongFigures', 'misunderstood', 'missing', 'other'] as const
export type BotFeedbackKind = (typeof BOT_FEEDBACK_KINDS)[number]
/** What each is called. */
export const BOT_FEEDBACK_LABELS: Record<BotFeedbackKind, string> = {
  wrongFigures: 'Wrong figures',
  misunderstood: 'Misunderstood question',
  missing: 'Missing something',
  other: 'Something else',
}
export interface BotFeedback {
  kind: BotFeedbackKind
  reason: string
}

/**
 * One question and how it was read. Figures are never kept: the plan is asked again, by the rights of who reads. `reply`
 * null: it was read by rights that the reader does not have (any more); the question can be asked again.
 */
export interface BotMessage {
  id: string
  question: string
  /** How it came: typed, chosen of several readings, or by changing the plan of an answer. */
  asked: 'text' | 'choice' | 'plan'
  reply: BotInterpretation | null
  engine: BotEngine
  feedback: BotFeedback | null
  createdAt: string
}
/** `GET /api/bot/conversations/{id}`: the messages, the oldest first. */
export interface BotConversationDetail extends BotConversation {
  items: BotMessage[]
}

export const listConversationsSchema = listQuerySchema.extend({
  archived: z.enum(['0', '1']).default('0'),
  q: z.string().trim().max(100).optional(),
})
/** `POST /api/bot/conversations`: an empty one; without a title it is called like its first question. */
export const createConversationSchema = z.strictObject({ title: nameSchema.optional() })
export const updateConversationSchema = z.strictObject({
  title: nameSchema,
  archived: z.boolean(),
  version: versionSchema,
})
export const deleteConversationSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })
/** `POST …/{id}/share`: a copy as it is now, for members of the workspace, each by their own rights. */
export const shareConversationSchema = z.strictObject({ version: versionSchema })

export const questionSchema = z
  .string()
  .trim()
  .min(1, { message: 'Enter a question.' })
  .max(BOT_QUESTION_MAX_CHARS, { message: `Enter up to ${BOT_QUESTION_MAX_CHARS} characters.` })

/**
 * `POST …/{id}/messages`. `text`: a question, which may go on from the answer before it, or from that of `after`.
 * `choice`: one of the readings that a message offered. `plan`: the plan of a message, changed by hand. `replaces`: the
 * last message, which is taken back for this one.
 */
export const askSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('text'),
    text: questionSchema,
    after: idSchema('botMessage').optional(),
    replaces: idSchema('botMessage').optional(),
  }),
  z.strictObject({ kind: z.literal('choice'), message: idSchema('botMessage'), choice: z.int().min(0).max(3) }),
  z.strictObject({
    kind: z.literal('plan'),
    message: idSchema('botMessage'),
    plan: queryPlanSchema,
    viz: vizSchema.optional(),
  }),
])
export type AskInput = z.input<typeof askSchema>
export type AskedMessage = z.output<typeof askSchema>

export const feedbackSchema = z.strictObject({
  kind: z.enum(BOT_FEEDBACK_KINDS),
  reason: z.string().trim().max(500).default(''),
})
/** `GET /api/bot/feedback`: wrong answers, the newest first, for those who can mend them. */
export const listFeedbackSchema = listQuerySchema
export interface BotFeedbackItem extends BotFeedback {
  messageId: string
  question: string
  /** How it was read; null where the reader's rights are others. */
  words: string | null
  personName: string
  at: string
}

/** Settings of the bot in a workspace. */
export const botSettingsSchema = z.strictObject({
  retentionDays: z.int().min(BOT_RETENTION_DAYS.min).max(BOT_RETENTION_DAYS.max),
})
export type BotSettings = z.infer<typeof botSettingsSchema>

/** `GET /api/bot/usage`: answers of a language model count against the plan; those of rules do not. */
export interface BotUsage {
  used: number
  /** Null: unlimited. */
  max: number | null
  resetsAt: string | null
  /** Whether answers come from rules only: no language model is set up, or the allowance is used up. */
  rulesOnly: boolean
}

/** `GET /api/bot/suggestions`: questions that can be answered now. Empty without data. */
export interface BotSuggestions {
  items: string[]
  /** Whether there is anything to ask about. */
  hasData: boolean
}

/** The figures of an answer, as who asks may see them. */
export interface BotFigures {
  result: QueryResult
  /** The answer in a sentence, made from the figures. */
  sentence: string
}
/** What an answer comes with, once it is worked out. */
export interface BotReply {
  message: BotMessage
  /** Null: it has no figures. `error`: its plan was refused. */
  figures: BotFigures | null
  error: ErrorBody | null
  /** Of `why`: what the change is made of. */
  drivers: ChangeDrivers | null
  /** Questions that go on from here, at most three. */
  followUps: string[]
}

/** Events of the stream that a question is answered by, in this order; `error` ends it. */
export type BotEvent =
  | { event: 'reading'; data: { question: string } }
  | { event: 'understood'; data: { kind: BotInterpretation['kind']; words: string } }
  | { event: 'answer' | 'clarify' | 'refusal' | 'way'; data: BotReply }
  | { event: 'error'; data: ErrorBody }

/** The reading that an interpretation shows figures of; null: none. */
export const readingOf = (reply: BotInterpretation | null): BotReading | null => {
  if (reply?.kind === 'answer') return reply
  return reply?.kind === 'way' ? reply.reading : null
}
