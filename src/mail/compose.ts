import { framed } from './frame'
import type { Framed } from './frame'
import type { Letter, LetterContext } from './letter'
import type { MailOrder, OrderOf, TemplateName } from './order'
import * as account from './templates/account'
import * as alerts from './templates/alerts'
import * as billing from './templates/billing'
import * as notes from './templates/notes'
import * as sales from './templates/sales'
import * as signIn from './templates/sign-in'
import * as workspace from './templates/workspace'
import { linkToken } from '../access/links'
import type { Settings } from '../env'

type Templates = { [T in TemplateName]: (order: OrderOf<T>, context: LetterContext) => Letter }
const TEMPLATES: Templates = { ...alerts, ...billing, ...sales, ...signIn, ...account, ...workspace, ...notes }

type ComposeSettings = Pick<Settings, 'APP_NAME' | 'BASE_URL' | 'SESSION_SECRET'>

/** Writes the mail of an order. Its link is made here, at the last moment. */
export async function compose(
  settings: ComposeSettings,
  order: MailOrder,
  workspaceId: string | null,
): Promise<Framed> {
  const page = (path: string): string => new URL(path, settings.BASE_URL).href
  const context: LetterContext = {
    appName: settings.APP_NAME,
    token: await tokenOf(settings, order),
    page,
    workspacePage: (path) => page(workspaceId === null ? path : `${path}?w=${workspaceId}`),
  }
  return framed(letterOf(order, context), settings.APP_NAME)
}

function letterOf<T extends TemplateName>(order: OrderOf<T> & { template: T }, context: LetterContext): Letter {
  return TEMPLATES[order.template](order, context)
}

async function tokenOf(settings: ComposeSettings, order: MailOrder): Promise<string> {
  if (order.template === 'invitation') return linkToken(settings, order.inviteId, order.serial)
  return 'linkId' in order ? linkToken(settings, order.linkId) : ''
}
