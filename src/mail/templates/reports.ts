import type { MailContent, TemplateContext } from '../layout'
import type { QueuedMailOf } from '../queued-mail'
import type { DeliveryReason, PauseReason } from '../../shared/reports/schedules'

const reportPath = ({ kind, reportId }: { kind: 'interactive' | 'legacy'; reportId: string }): string =>
  `/reports/${kind}/${reportId}`
const FILE_NAMES = { link: 'report', pdf: 'PDF', xlsx: 'Excel workbook' } as const

export const reportDelivery = (
  order: QueuedMailOf<'reportDelivery'>,
  { appName, page, workspacePage, unsubscribe }: TemplateContext,
): MailContent => {
  const { name, workspace, period, lines, dataAsOf, edition, by, search, format, attachment, recipientId } = order
  const named = [name, ...(period === null ? [] : [period])].join(', ')
  const path = edition > 0 ? `${reportPath(order)}/editions/${edition}` : reportPath(order)
  const isLarge = format !== 'link' && attachment === null
  const download = `/files/reports/${order.reportId}/deliveries/${order.deliveryId}?w=${order.workspaceId}`
  const view = { label: 'View report', href: `${workspacePage(path)}${search ?? ''}` }
  return {
    subject: `${recipientId === null ? 'Test: ' : ''}${named} (${workspace})`,
    heading: name,
    body: [
      ...(period === null ? [] : [`Period: ${period}.`]),
      ...(edition > 0 ? [`Edition ${edition}.`] : []),
      ...(lines.length === 0 ? [] : [`Filters: ${lines.join('; ')}.`]),
      ...(dataAsOf === null ? [] : [`Data as of ${dataAsOf}.`]),
      ...(attachment !== null ? [`The ${FILE_NAMES[format]} is attached.`] : []),
      ...(isLarge ? [`The ${FILE_NAMES[format]} is too large to attach. Sign in to download it.`] : []),
    ],
    button: search === null ? null : isLarge ? { label: 'Download report', href: page(download) } : view,
    after: [],
    ...(unsubscribe === '' ? {} : { link: { words: 'Unsubscribe from this report', href: unsubscribe } }),
    reason:
      recipientId === null
        ? `You sent yourself a test of this report in ${workspace}.`
        : `${by} sends you this report from ${workspace} on ${appName}.`,
  }
}

const CADENCE_WORDS = { daily: 'every day', weekly: 'every week', data: 'when new data arrives' } as const

export const blockFigure = (
  { workspace, report, path, page, lines, cadence }: QueuedMailOf<'blockFigure'>,
  { workspacePage, unsubscribe }: TemplateContext,
): MailContent => ({
  subject: `${lines[0] ?? report} (${workspace})`,
  heading: report,
  body: lines,
  button: { label: 'View report', href: `${workspacePage(path)}&page=${page}` },
  after: [],
  link: { words: 'Unsubscribe from this block', href: unsubscribe },
  reason: `You subscribe to this block of “${report}” in ${workspace}, ${CADENCE_WORDS[cadence]}.`,
})

const HELD_TEXTS: Partial<Record<DeliveryReason, string>> = {
  sourceFailed: 'The last import of a data source in this report failed.',
  stale: 'No data has been imported since the period ended.',
  notPublished: 'No edition of this period has been published.',
  changed: 'The report has changed since you shared it with people outside the workspace.',
}

const HELD_UNTIL: Partial<Record<DeliveryReason, string>> = {
  notPublished: 'It’s sent once you publish the edition.',
  changed: 'Check the report, then save the schedule again to send it as it is now.',
}

export const reportHeld = (order: QueuedMailOf<'reportHeld'>, { workspacePage }: TemplateContext): MailContent => ({
  subject: `Not sent yet: ${order.name} (${order.workspace})`,
  heading: `Not sent yet: ${order.name}`,
  body: [
    HELD_TEXTS[order.reason] ?? 'The report can’t be sent yet.',
    HELD_UNTIL[order.reason] ?? 'It’s sent once new data is imported, or when you choose Send now in its schedules.',
  ],
  button: { label: 'View report', href: workspacePage(reportPath(order)) },
  after: [],
  reason: `This is your schedule in ${order.workspace}.`,
})

export const scheduleChanged = (
  order: QueuedMailOf<'scheduleChanged'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `Sent without changed blocks: ${order.name} (${order.workspace})`,
  heading: `Sent without changed blocks: ${order.name}`,
  body: [
    'Blocks of this report have changed since you shared it. People outside the workspace got it without them.',
    'Check the report, then save the schedule again to include them.',
  ],
  button: { label: 'View report', href: workspacePage(reportPath(order)) },
  after: [],
  reason: `This is your schedule in ${order.workspace}.`,
})

const PAUSE_TEXTS: Record<PauseReason, string> = {
  person: 'It was paused.',
  ownerLeft: 'Its owner is no longer a member of the workspace.',
  newOwner: 'Its owner left, and it was handed over with their other items.',
  ownerRole: 'Its owner’s role no longer allows sharing reports.',
  plan: 'The plan no longer includes it.',
}

export const schedulePaused = (
  { name, workspace, reason }: QueuedMailOf<'schedulePaused'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `Schedule paused: ${name} (${workspace})`,
  heading: `Schedule paused: ${name}`,
  body: [
    PAUSE_TEXTS[reason],
    reason === 'plan'
      ? 'Nothing is sent. Upgrade the plan, then resume the schedule.'
      : 'Nothing is sent. Resume the schedule to become its owner.',
  ],
  button: { label: 'View reports', href: workspacePage('/reports') },
  after: [],
  reason: `Sent to the schedule’s owner and an owner of ${workspace}.`,
})
