import { z } from 'zod'
import { localIdSchema } from './blocks'
import { timingSchema } from './schedule-dates'
import { versionSchema } from '../field-schemas'
import { idSchema } from '../ids'
import { fieldFilterSchema, type FieldFilter } from '../query/plan'
import { emailSchema } from '../session'

/** What a recipient gets: a link to the report (members only), or the report as a file in the mail. */
export const DELIVERY_FORMATS = ['link', 'pdf', 'xlsx'] as const
export type DeliveryFormat = (typeof DELIVERY_FORMATS)[number]
export const SCHEDULES_PER_REPORT_MAX = 20
export const RECIPIENTS_MAX = 50
/** People that one date of a schedule reaches, members of groups included. */
export const DELIVERIES_PER_SLOT_MAX = 200
/** Larger files are downloaded by members after signing in. */
export const ATTACHMENT_MAX_BYTES = 10 * 1024 * 1024
export const DELIVERY_FILE_MAX_BYTES = 25 * 1024 * 1024

/** By filter of the report: what a recipient's own copy is narrowed to. Absent: as in the report; null: not filtered. */
const ownFiltersSchema = z
  .record(localIdSchema, fieldFilterSchema.nullable())
  .refine((filters) => Object.keys(filters).length <= 10, { message: 'Too many filters.' })
  .default({})
const recipientSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('member'), id: idSchema('user'), filters: ownFiltersSchema }),
  z.strictObject({ kind: z.literal('group'), id: idSchema('group'), filters: ownFiltersSchema }),
  z.strictObject({ kind: z.literal('address'), email: emailSchema, filters: ownFiltersSchema }),
])
export type ScheduleRecipient = z.output<typeof recipientSchema>
export type RecipientFilters = Readonly<Record<string, FieldFilter | null>>
export const recipientKey = (one: ScheduleRecipient): string => (one.kind === 'address' ? one.email : one.id)

const contentShape = {
  timing: timingSchema,
  format: z.enum(DELIVERY_FORMATS),
  /** Of a schedule that follows a period's close: that period takes the place of the report's own. */
  closedPeriod: z.boolean().default(true),
  recipients: z
    .array(recipientSchema)
    .min(1, { message: 'Add a recipient.' })
    .max(RECIPIENTS_MAX, { message: `Add at most ${RECIPIENTS_MAX} recipients.` }),
  /** Sends nothing when no figure of the report has data. */
  skipEmpty: z.boolean().default(true),
  /** Waits while an import failed, or nothing was imported since the period ended. */
  hold: z.boolean().default(true),
}
type ContentInput = { format: DeliveryFormat; recipients: ScheduleRecipient[] }
function refineContent({ format, recipients }: ContentInput, context: z.RefinementCtx): void {
  const refuse = (message: string): void => context.addIssue({ code: 'custom', path: ['recipients'], message })
  if (new Set(recipients.map(recipientKey)).size < recipients.length) refuse('Add each recipient once.')
  if (format === 'link' && recipients.some(({ kind }) => kind === 'address'))
    refuse('Links are for members. Choose PDF or Excel for outside addresses.')
}
export const createScheduleSchema = z.strictObject(contentShape).superRefine(refineContent)
export type CreateScheduleInput = z.input<typeof createScheduleSchema>
export type ScheduleContent = z.output<typeof createScheduleSchema>
/** Whoever saves it owns it from then on: outside recipients get what they may see. */
export const updateScheduleSchema = z
  .strictObject({ ...contentShape, active: z.boolean(), version: versionSchema })
  .superRefine(refineContent)
export type UpdateScheduleInput = z.input<typeof updateScheduleSchema>
export const deleteScheduleSchema = z.strictObject({ version: z.coerce.number().pipe(versionSchema) })
/** `PUT …/subscription`: whether one gets it oneself. */
export const subscriptionSchema = z.strictObject({ subscribed: z.boolean() })

/** Why nothing is sent any more until somebody resumes it. */
export const PAUSE_REASONS = ['person', 'ownerLeft', 'newOwner', 'ownerRole', 'plan'] as const
export type PauseReason = (typeof PAUSE_REASONS)[number]

export type ShownRecipient = ScheduleRecipient & {
  /** What the member or group is called; null for addresses, and for what is gone. */
  name: string | null
  unsubscribed: boolean
}
export interface ReportSchedule extends Omit<ScheduleContent, 'recipients'> {
  id: string
  reportId: string
  recipients: ShownRecipient[]
  ownerId: string
  ownerName: string
  /** Null: active. */
  paused: PauseReason | null
  version: number
  /** The next three dates, ISO instants; empty while it is paused. */
  next: string[]
  last: DeliverySummary | null
  /** Whether who asks is among the recipients and gets it: null where they are not. */
  subscribed: boolean | null
  /** Recipients’ filters use data that who asks can’t access: they are left out, and it cannot be edited. */
  restricted: boolean
}
/** How the newest date went. */
export interface DeliverySummary {
  /** ISO instant of the date. */
  at: string
  counts: Partial<Record<DeliveryState, number>>
}

export const DELIVERY_STATES = ['waiting', 'held', 'sending', 'sent', 'skipped', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]
/** Why a delivery was held, skipped or failed. */
export const DELIVERY_REASONS = {
  sourceFailed: 'The last import failed',
  stale: 'No data imported since the period ended',
  notPublished: 'Not published yet',
  changed: 'Changed since the owner shared it',
  empty: 'No data',
  unsubscribed: 'Unsubscribed',
  left: 'No longer a member',
  unproven: 'Email address not confirmed',
  role: 'Their role can’t open this report',
  domain: 'Domain not allowed',
  plan: 'Not included in the plan',
  superseded: 'Replaced by the next date',
  paused: 'Schedule paused',
  reportGone: 'The report isn’t published',
  filterGone: 'A filter of this recipient is no longer in the report',
  filterHidden: 'A filter uses data this recipient can’t access',
  noAccess: 'This edition isn’t available to this recipient',
  tooLarge: 'Too large to send',
  figures: 'The figures couldn’t be calculated',
  mail: 'The mail server refused it',
  internal: 'Something went wrong',
} as const satisfies Record<string, string>
export type DeliveryReason = keyof typeof DELIVERY_REASONS

/** A line of the delivery log: one recipient, one date. */
export interface ReportDelivery {
  id: string
  /** Id of the member, or the address. */
  recipient: string
  name: string | null
  /** Instant of the date, ISO. */
  at: string
  /** When it was sent, skipped or failed; null: not yet. */
  doneAt: string | null
  state: DeliveryState
  reason: DeliveryReason | null
  test: boolean
}
/** Deliveries that may be tried again by hand: a held one is sent although its data are incomplete. */
export const isRetryable = ({ state }: Pick<ReportDelivery, 'state'>): boolean => state === 'failed' || state === 'held'

/** `POST /api/report-subscriptions`: by the link in a mail. */
export const SUBSCRIPTION_TOKEN = /^(rcp|sub)_[0-9a-z]{20}\.[0-9a-f]{64}$/
const tokenSchema = z.string().regex(SUBSCRIPTION_TOKEN, { message: 'Link incomplete. Open it from the email again.' })
export const checkSubscriptionSchema = z.strictObject({ token: tokenSchema })
export const changeSubscriptionSchema = z.strictObject({ token: tokenSchema, subscribed: z.boolean() })
export interface ReportSubscription {
  report: string
  workspace: string
  subscribed: boolean
}
