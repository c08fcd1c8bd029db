import type { MailContent, TemplateContext } from '../layout'
import type { QueuedMailOf } from '../queued-mail'

const HEADINGS: Record<QueuedMailOf<'alert'>['event'], (name: string) => string> = {
  opened: (name) => `Alert: ${name}`,
  resolved: (name) => `Over: ${name}`,
  reminded: (name) => `Still open: ${name}`,
}
const groups = (count: number): string => (count === 1 ? 'one group' : `${count} groups`)

export const alert = (order: QueuedMailOf<'alert'>, { workspacePage }: TemplateContext): MailContent => {
  const { event, name, subject, workspace, condition, lines, count, grouped, alertId } = order
  const heading = HEADINGS[event](name)
  const of = grouped ? ` in ${groups(count)}` : ''
  const sentence = {
    opened: condition === null ? `${subject} set off this alert${of}.` : `${subject} ${condition}${of}.`,
    resolved: `${subject} is back where it should be${of}.`,
    reminded: `${subject} has set off this alert${of}, and nobody has acknowledged it.`,
  }[event]
  return {
    subject: `${heading} (${workspace})`,
    heading,
    body: [sentence, ...(lines ?? ['Open the alert to see the figures that you may see.'])],
    button: { label: 'See the alert', href: workspacePage(`/alerts/${alertId}`) },
    after:
      event === 'resolved'
        ? []
        : ['You get another mail when it is over. Acknowledge the alert to hear nothing of it until then.'],
    reason: `You get this because you are a receiver of this alert in ${workspace}.`,
  }
}

type Items = NonNullable<MailContent['items']>
const withHeading = (heading: string, items: Items): Items =>
  items.map((item, at) => (at === 0 ? { ...item, heading } : item))

export const digest = (
  { workspace, cadence, date, items, findings, loose, openAlerts }: QueuedMailOf<'digest'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `Your ${cadence} digest of ${workspace}, ${date}`,
  heading: `Your digest of ${workspace}`,
  body: openAlerts === 0 ? [] : [`${openAlerts === 1 ? 'One alert is' : `${openAlerts} alerts are`} open.`],
  items: [
    ...withHeading(
      'What you follow',
      items.map(({ insightId, name, lines }) => ({
        title: name,
        lines,
        href: workspacePage(`/insights/${insightId}`),
      })),
    ),
    ...withHeading(
      'What was found since the last digest',
      findings.map(({ name, sentence, path }) => ({ title: name, lines: [sentence], href: workspacePage(path) })),
    ),
    ...withHeading(
      'Values without a group',
      loose.map(({ groupingId, name, line }) => ({
        ...{ title: name, lines: [line], href: workspacePage(`/data-grouping/${groupingId}`) },
      })),
    ),
  ],
  button: { label: 'Open your insights', href: workspacePage('/insights') },
  after: [`It comes ${cadence === 'daily' ? 'every morning' : 'once a week'} on the workspace's clock.`],
  reason: `You get this because you follow insights in ${workspace}. Change how often it comes on the page Alerts.`,
})

const TEXT_MAX_CHARS = 600

export const mentioned = (
  { workspace, person, insight, insightId, text }: QueuedMailOf<'mentioned'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${person} mentioned you on “${insight}”`,
  heading: `${person} mentioned you`,
  body: [`${person} wrote on the insight “${insight}” in ${workspace}:`, excerpt(text)],
  button: { label: 'Open the insight', href: workspacePage(`/insights/${insightId}`) },
  after: [],
  reason: `You get this because you are a member of ${workspace} and ${person} named you.`,
})

const excerpt = (text: string): string => {
  const characters = Array.from(text)
  return characters.length <= TEXT_MAX_CHARS ? text : `${characters.slice(0, TEXT_MAX_CHARS).join('')}…`
}
