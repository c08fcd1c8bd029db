import type { MailContent, TemplateContext } from '../layout'
import type { QueuedMailOf } from '../queued-mail'
import { subjectPrefix } from '../../shared/figures/subject-prefix'

const HEADINGS: Record<QueuedMailOf<'alert'>['event'], (name: string) => string> = {
  opened: (name) => `Alert: ${name}`,
  resolved: (name) => `Resolved: ${name}`,
  reminded: (name) => `Still open: ${name}`,
}
const groups = (count: number): string => (count === 1 ? '1 group' : `${count} groups`)

export const alert = (order: QueuedMailOf<'alert'>, { workspacePage }: TemplateContext): MailContent => {
  const { event, name, subject, workspace, condition, lines, count, grouped, alertId, reminds = true } = order
  const heading = HEADINGS[event](name)
  const about = subjectPrefix(subject)
  const of = grouped ? ` in ${groups(count)}` : ''
  const sentence = {
    opened: condition === null ? `${about} alert triggered${of}.` : `${about} ${condition}${of}.`,
    resolved: `${about} back within the threshold${of}.`,
    reminded: `${about} still open and not acknowledged${of}.`,
  }[event]
  return {
    subject: `${heading} (${workspace})`,
    heading,
    body: lines ? [...lines, sentence] : [sentence, 'View the alert for the figures you can access.'],
    button: { label: 'View alert', href: workspacePage(`/alerts/${alertId}`) },
    after:
      event === 'resolved' ? [] : [`We’ll email when it resolves.${reminds ? ' Acknowledge to stop reminders.' : ''}`],
    reason: `You’re on this alert’s Notify list in ${workspace}.`,
  }
}

type Items = NonNullable<MailContent['items']>
const withHeading = (heading: string, items: Items): Items =>
  items.map((item, at) => (at === 0 ? { ...item, heading } : item))

/** The most telling sentence leads; without one the mail says whose it is and of when. */
export const digest = (
  { workspace, cadence, date, items, findings, standing = [], loose, openAlerts }: QueuedMailOf<'digest'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${workspace}: ${findings[0]?.sentence ?? `${cadence} digest, ${date}`}`,
  heading: findings.length === 0 ? `${workspace} digest` : 'Briefing',
  body: [
    ...findings.slice(0, 1).map(({ sentence }) => sentence),
    ...(openAlerts === 0 ? [] : [`${openAlerts === 1 ? '1 open alert' : `${openAlerts} open alerts`}.`]),
  ],
  items: [
    ...withHeading(
      'Findings',
      findings.map(({ name, sentence, path }, at) => ({
        ...{ title: name, lines: at === 0 ? [] : [sentence], href: workspacePage(path) },
      })),
    ),
    ...withHeading(
      'To check',
      standing.map(({ name, line, path }) => ({ title: name, lines: [line], href: workspacePage(path) })),
    ),
    ...withHeading(
      'Following',
      items.map(({ insightId, name, lines }) => ({
        title: name,
        lines,
        href: workspacePage(`/insights/${insightId}`),
      })),
    ),
    ...withHeading(
      'Ungrouped values',
      loose.map(({ groupingId, name, line }) => ({
        ...{ title: name, lines: [line], href: workspacePage(`/data-grouping/${groupingId}`) },
      })),
    ),
  ],
  button: { label: 'View briefing', href: workspacePage('/pilot') },
  after: [],
  reason: `You get the ${cadence} digest of ${workspace}. Change how often under Pilot.`,
})

export const loadFailed = (order: QueuedMailOf<'loadFailed'>, { workspacePage }: TemplateContext): MailContent => {
  const { workspace, sourceId, source, dataset, fileName, message, lineNumber, advice, hasRows, own } = order
  const line = lineNumber === null ? '' : `, line ${lineNumber}`
  return {
    subject: `Import failed: ${source} (${workspace})`,
    heading: `Import failed: ${source}`,
    body: [
      message,
      `Table “${dataset}”, file “${fileName}”${line}. ${hasRows ? 'Existing data is unchanged.' : 'Nothing was imported.'}`,
      advice,
    ],
    button: { label: 'View source', href: workspacePage(`/data-sources/${sourceId}`) },
    after: [],
    reason: `${own ? 'You started this import' : 'You get emails about failed imports'} in ${workspace}. Change your email notifications in your profile.`,
  }
}

export const sourceFailed = (order: QueuedMailOf<'sourceFailed'>, { workspacePage }: TemplateContext): MailContent => {
  const { workspace, sourceId, source, message, advice, hasRows, own } = order
  return {
    subject: `Sync failed: ${source} (${workspace})`,
    heading: `Sync failed: ${source}`,
    body: [
      message,
      advice,
      hasRows ? 'Existing data is unchanged, and no longer updated.' : 'Nothing was imported yet.',
    ],
    button: { label: 'View source', href: workspacePage(`/data-sources/${sourceId}`) },
    after: [],
    reason: `${own ? 'You own this source' : 'You get emails about failed imports'} in ${workspace}. Change your email notifications in your profile.`,
  }
}

const TEXT_MAX_CHARS = 600

export const mentioned = (
  { workspace, person, insight, insightId, text }: QueuedMailOf<'mentioned'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${person} mentioned you on “${insight}”`,
  heading: `${person} mentioned you`,
  body: [`On “${insight}” in ${workspace}:`, excerpt(text)],
  button: { label: 'View insight', href: workspacePage(`/insights/${insightId}`) },
  after: [],
  reason: `${person} mentioned you in ${workspace}.`,
})

export const commentMentioned = (
  { workspace, person, report, path, page, block, text }: QueuedMailOf<'commentMentioned'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${person} mentioned you on “${report}”`,
  heading: `${person} mentioned you`,
  body: [`On the report “${report}” in ${workspace}:`, excerpt(text)],
  button: { label: 'View comment', href: withSearch(workspacePage(path), { page, comments: block }) },
  after: [],
  reason: `${person} mentioned you in ${workspace}.`,
})

/** An address with more in its search part. */
function withSearch(href: string, search: Record<string, string>): string {
  const url = new URL(href)
  for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value)
  return url.href
}

const excerpt = (text: string): string => {
  const characters = Array.from(text)
  return characters.length <= TEXT_MAX_CHARS ? text : `${characters.slice(0, TEXT_MAX_CHARS).join('')}…`
}
