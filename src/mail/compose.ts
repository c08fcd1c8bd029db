import { renderMail } from './frame'
import type { RenderedMail } from './frame'
import type { MailContent, TemplateContext } from './letter'
import type { QueuedMail, QueuedMailOf, TemplateName } from './order'
import * as account from './templates/account'
import * as alerts from './templates/alerts'
import * as billing from './templates/billing'
import * as notes from './templates/notes'
import * as sales from './templates/sales'
import * as signIn from './templates/sign-in'
import * as workspace from './templates/workspace'
import { signLinkToken } from '../access/links'
import type { Settings } from '../env'

type Templates = { [T in TemplateName]: (order: QueuedMailOf<T>, context: TemplateContext) => MailContent }
const TEMPLATES: Templates = { ...alerts, ...billing, ...sales, ...signIn, ...account, ...workspace, ...notes }

type ComposeSettings = Pick<Settings, 'APP_NAME' | 'BASE_URL' | 'SESSION_SECRET'>

/** Writes the mail of an order. Its link is made here, at the last moment. */
export async function composeMail(
  settings: ComposeSettings,
  order: QueuedMail,
  workspaceId: string | null,
): Promise<RenderedMail> {
  const page = (path: string): string => new URL(path, settings.BASE_URL).href
  const context: TemplateContext = {
    appName: settings.APP_NAME,
    token: await tokenOf(settings, order),
    page,
    workspacePage: (path) => page(workspaceId === null ? path : `${path}?w=${workspaceId}`),
  }
  return renderMail(renderTemplate(order, context), settings.APP_NAME)
}

function renderTemplate<T extends TemplateName>(
  order: QueuedMailOf<T> & { template: T },
  context: TemplateContext,
): MailContent {
  return TEMPLATES[order.template](order, context)
}

async function tokenOf(settings: ComposeSettings, order: QueuedMail): Promise<string> {
  if (order.template === 'invitation') return signLinkToken(settings, order.inviteId, order.serial)
  return 'linkId' in order ? signLinkToken(settings, order.linkId) : ''
}
