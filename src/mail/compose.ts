import { renderMail } from './layout'
import type { RenderedMail, MailContent, TemplateContext } from './layout'
import type { QueuedMail, QueuedMailOf, TemplateName } from './queued-mail'
import * as account from './templates/account'
import * as billing from './templates/billing'
import * as notifications from './templates/notifications'
import * as reports from './templates/reports'
import * as workspace from './templates/workspace'
import { signLinkToken, signReportToken, signSubscriptionToken, signUnsubscribeToken } from './email-links'
import { withPlainNames } from './mail-names'
import type { Settings } from '../settings'

type Templates = { [T in TemplateName]: (order: QueuedMailOf<T>, context: TemplateContext) => MailContent }
const TEMPLATES: Templates = { ...account, ...billing, ...notifications, ...reports, ...workspace }

type ComposeSettings = Pick<Settings, 'APP_NAME' | 'BASE_URL' | 'SESSION_SECRET'>

/** Writes the mail of an order. Its links are made here, at the last moment. */
export async function composeMail(
  settings: ComposeSettings,
  queued: QueuedMail,
  workspaceId: string | null,
): Promise<RenderedMail> {
  const order = withPlainNames(queued)
  const page = (path: string): string => new URL(path, settings.BASE_URL).href
  const recipient = subscriptionOf(order)
  const unsubscribe =
    recipient === null ? '' : page(`/reports/unsubscribe#${await signSubscriptionToken(settings, recipient)}`)
  const context: TemplateContext = {
    appName: settings.APP_NAME,
    token: await tokenOf(settings, order),
    reportToken: order.template === 'invitation' ? await signReportToken(settings, order.inviteId) : '',
    unsubscribe,
    page,
    workspacePage: (path) => page(workspaceId === null ? path : `${path}?w=${workspaceId}`),
  }
  const mail = renderMail(renderTemplate(order, context), settings.APP_NAME)
  if (recipient === null) return mail
  return { ...mail, unsubscribe: page(`/unsubscribe/${await signUnsubscribeToken(settings, recipient)}`) }
}

/** Whose link ends what the mail is sent for; null: nothing does. */
function subscriptionOf(order: QueuedMail): string | null {
  if (order.template === 'blockFigure') return order.subscriptionId
  return order.template === 'reportDelivery' ? order.recipientId : null
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
