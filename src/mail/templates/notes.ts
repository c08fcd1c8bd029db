import type { MailContent, TemplateContext } from '../letter'
import type { QueuedMailOf } from '../order'

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
