import type { OutboxEntry } from '../db/commit'
import type { Role } from '../shared/permissions'
import type { SubscriptionCadence } from '../shared/reports/block-subscriptions'
import type { PlanId } from '../shared/billing/plans'
import type { ReportKind } from '../shared/reports/report-kinds'
import type { DeliveryFormat, DeliveryReason, PauseReason } from '../shared/reports/schedules'

/** A file that a mail takes along, by where it lies in the store of files. */
export interface MailAttachment {
  key: string
  fileName: string
  contentType: string
  /** Bytes. */
  size: number
}

/**
 * A mail to be sent, as it waits in the outbox: ids and plain texts, never a token. Links are made when it is sent.
 * A feature brings its own line here and a template of the same name in `templates/`.
 */
export type QueuedMail = { to: string } & (
  | { template: 'reset'; linkId: string }
  /** Asks whoever registered to prove their address. */
  | { template: 'confirmEmail'; linkId: string }
  /** The person has no password: says how they sign in. */
  | { template: 'resetWithoutPassword'; providers: string[] }
  | { template: 'passwordChanged' }
  | { template: 'signInLink'; linkId: string; returnTo: string }
  | { template: 'newSignIn'; device: string; country: string | null; at: number }
  | { template: 'emailOld'; linkId: string; newEmail: string }
  | { template: 'emailNew'; linkId: string; oldEmail: string | null }
  | { template: 'emailChanged'; newEmail: string }
  | { template: 'signInConnected'; provider: string; removed: boolean }
  /** A program may ask in the person's name from now on; `name` is what they or the app call it. */
  | { template: 'accessGranted'; workspace: string; name: string; kind: 'token' | 'app' }
  | { template: 'accountDeleted'; linkId: string; until: number }
  | {
      template: 'invitation'
      inviteId: string
      serial: number
      workspace: string
      inviter: string
      role: Role
      expiresAt: number
    }
  | { template: 'invitationAccepted'; workspace: string; person: string; role: Role }
  | {
      template: 'membershipChanged'
      workspace: string
      change: 'role' | 'suspended' | 'resumed' | 'removed'
      role: Role
    }
  | { template: 'ownershipOffered'; workspace: string; from: string; expiresAt: number }
  | { template: 'ownershipAccepted'; workspace: string; newOwner: string }
  /** Days of these two are told on the workspace's own clock, as its pages do. */
  | { template: 'trialEnding'; workspace: string; endsAt: number; timeZone: string }
  | { template: 'trialEnded'; workspace: string }
  | { template: 'paymentMissing'; workspace: string; readOnlyAt: number; timeZone: string }
  | { template: 'workspaceRestricted'; workspace: string }
  | { template: 'subscriptionEnded'; workspace: string }
  | { template: 'workspaceDeleted'; workspace: string; by: string; until: number }
  | {
      template: 'alert'
      event: 'opened' | 'resolved' | 'reminded'
      workspace: string
      alertId: string
      name: string
      subject: string
      /** Groups that it is about. */
      count: number
      grouped: boolean
      /** What set it off, in words, and the figures: null for those who may not see the owner's figures. */
      condition: string | null
      lines: string[] | null
      /** Whether reminders follow while it is open. Absent from mails queued by earlier builds. */
      reminds?: boolean
    }
  | {
      template: 'digest'
      workspace: string
      cadence: 'daily' | 'weekly'
      /** In words. */
      date: string
      items: { insightId: string; name: string; lines: string[] }[]
      /** What was found since the last one; `path` is where it is shown. */
      findings: { name: string; sentence: string; path: string }[]
      /** What stands beside: forecasts, imports, what waits. Absent in mails queued by an earlier release. */
      standing?: { name: string; line: string; path: string }[]
      /** Groupings with more values without a group than the last one told of. */
      loose: { groupingId: string; name: string; line: string }[]
      openAlerts: number
    }
  /** Somebody named the person with an @; `text` is what was written. */
  | { template: 'mentioned'; workspace: string; person: string; insight: string; insightId: string; text: string }
  /** The same in a comment on a report; `path` is where the block is shown. */
  | {
      template: 'commentMentioned'
      workspace: string
      person: string
      report: string
      path: string
      block: string
      page: string
      text: string
    }
  /** A load failed. `source`, `dataset` and `fileName` are names of theirs; `own`: the receiver started it. */
  | {
      template: 'sourceFailed'
      workspace: string
      sourceId: string
      source: string
      /** What failed and what to do about it, in words. */
      message: string
      advice: string
      hasRows: boolean
      own: boolean
    }
  | {
      template: 'loadFailed'
      workspace: string
      sourceId: string
      source: string
      dataset: string
      fileName: string
      /** What failed, in words, and the line of the file where it was seen. */
      message: string
      lineNumber: number | null
      advice: string
      /** Whether rows of an earlier load are there, as they were. */
      hasRows: boolean
      own: boolean
    }
  /** A report on a date of its schedule, or as a test. */
  | {
      template: 'reportDelivery'
      workspace: string
      workspaceId: string
      /** The report's name, its kind and id. */
      name: string
      kind: ReportKind
      reportId: string
      period: string | null
      /** Filters in words. */
      lines: string[]
      /** The day of the oldest data, in words. */
      dataAsOf: string | null
      /** Number of the edition; 0: the report as it is now. */
      edition: number
      /** Whose schedule it is. */
      by: string
      /** The search part of the report's address, for members; null for outside addresses. */
      search: string | null
      /** Which file there is; `attachment` null: it is too large for a mail, and downloaded after signing in. */
      format: DeliveryFormat
      deliveryId: string
      /** For the link by which the recipient unsubscribes; null for tests. */
      recipientId: string | null
      attachment: MailAttachment | null
    }
  /** The figure of a block that the person subscribed to; `path` and `page` are where it is shown. */
  | {
      template: 'blockFigure'
      workspace: string
      report: string
      path: string
      page: string
      lines: string[]
      cadence: SubscriptionCadence
      subscriptionId: string
    }
  /** Deliveries wait for data: to whoever owns the schedule. */
  | {
      template: 'reportHeld'
      workspace: string
      name: string
      kind: ReportKind
      reportId: string
      reason: DeliveryReason
    }
  /** Outside recipients get a report without what changed since its owner shared it. */
  | { template: 'scheduleChanged'; workspace: string; name: string; kind: ReportKind; reportId: string }
  | { template: 'schedulePaused'; workspace: string; name: string; reportId: string; reason: PauseReason }
  /** To whoever sells here. */
  | {
      template: 'planQuestion'
      workspace: string
      workspaceId: string
      planId: PlanId | null
      person: string
      email: string | null
      people: number
      message: string
    }
)

export type TemplateName = QueuedMail['template']
export type QueuedMailOf<T extends TemplateName> = Extract<QueuedMail, { template: T }>

/**
 * The outbox row of a mail, for the `outbox` of a `commit`. Delivered at least once; the key is sent along, so that a
 * receiver can tell a repetition.
 */
export const mailOutboxEntry = (order: QueuedMail, of: { key: string; workspaceId?: string | null }): OutboxEntry => ({
  workspaceId: of.workspaceId ?? null,
  kind: 'mail',
  key: `mail:${of.key}`,
  payload: order,
})
