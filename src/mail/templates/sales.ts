import type { MailContent } from '../letter'
import type { QueuedMailOf } from '../order'
import { planById } from '../../shared/plans'

export const planQuestion = ({
  workspace,
  workspaceId,
  planId,
  person,
  email,
  people,
  message,
}: QueuedMailOf<'planQuestion'>): MailContent => ({
  subject: `${workspace} asks for a plan of their own`,
  heading: `${person} of ${workspace} asks for a plan`,
  body: [
    `${people} ${people === 1 ? 'person' : 'people'} would use it. Today's plan: ${planId === null ? 'none' : (planById(planId)?.name ?? planId)}. Workspace: ${workspaceId}.`,
    ...message.split(/\n+/).filter((line) => line.trim() !== ''),
    email === null ? 'No e-mail address is known.' : `Answer to ${email}.`,
  ],
  button: null,
  after: [],
  reason: 'You get this because questions about plans go to this address.',
})
