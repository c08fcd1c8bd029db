import { formatDay, type MailContent, type TemplateContext } from '../layout'
import type { QueuedMailOf } from '../queued-mail'
import type { Role } from '../../shared/permissions'

const ROLE_NAMES: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an administrator',
  analyst: 'an analyst',
  viewer: 'a viewer',
  client: 'a client',
}
const MEMBERS = '/settings/workspace/members'

export const invitation = (
  { workspace, inviter, role, expiresAt }: QueuedMailOf<'invitation'>,
  { appName, token, reportToken, page }: TemplateContext,
): MailContent => ({
  subject: `${inviter} invites you to ${workspace}`,
  heading: `Join ${workspace} on ${appName}`,
  body: [`${inviter} invites you to the workspace ${workspace} as ${ROLE_NAMES[role]}.`],
  button: { label: 'See the invitation', href: page(`/invitation#${token}`) },
  after: [
    `The invitation is for this address only and works until ${formatDay(expiresAt)}. A newer mail replaces this one.`,
    'If you do not know what this is about, you can ignore this mail.',
  ],
  link: { words: 'I don’t know this sender: report this invitation', href: page(`/invitation/report#${reportToken}`) },
  reason: `You get this because ${inviter} typed this address.`,
})

export const invitationAccepted = (
  { workspace, person, role }: QueuedMailOf<'invitationAccepted'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${person} joined ${workspace}`,
  heading: `${person} joined ${workspace}`,
  body: [`Your invitation was accepted: ${person} is now ${ROLE_NAMES[role]} of ${workspace}.`],
  button: { label: 'See the members', href: workspacePage(MEMBERS) },
  after: [],
  reason: 'You get this because you want to hear of accepted invitations. Change it in your profile.',
})

export const membershipChanged = (
  { workspace, change, role }: QueuedMailOf<'membershipChanged'>,
  { page, workspacePage }: TemplateContext,
): MailContent => {
  const [heading, body] = MEMBERSHIP_TEXTS[change](workspace, ROLE_NAMES[role])
  const inside = change === 'role' || change === 'resumed'
  return {
    subject: heading,
    heading,
    body: [body],
    button: inside
      ? { label: 'Open the workspace', href: workspacePage('/') }
      : { label: 'Go to your other workspaces', href: page('/') },
    after: inside ? [] : ['If you think this is a mistake, ask an administrator of the workspace.'],
    reason: 'You get this because you want to hear of changes of your membership. Change it in your profile.',
  }
}

type MembershipText = (workspace: string, role: string) => [heading: string, body: string]
const MEMBERSHIP_TEXTS: Record<QueuedMailOf<'membershipChanged'>['change'], MembershipText> = {
  role: (workspace, role) => [`Your role in ${workspace} changed`, `You are now ${role} of ${workspace}.`],
  suspended: (workspace) => [
    `Your membership in ${workspace} is paused`,
    `An administrator paused your membership in ${workspace}. You cannot open it until it is resumed.`,
  ],
  resumed: (workspace, role) => [
    `You can open ${workspace} again`,
    `Your membership in ${workspace} was resumed. You are ${role} of it.`,
  ],
  removed: (workspace) => [
    `You are no longer a member of ${workspace}`,
    `An administrator removed you from ${workspace}. Your account and your other workspaces stay as they are.`,
  ],
}

export const ownershipOffered = (
  { workspace, from, expiresAt }: QueuedMailOf<'ownershipOffered'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${from} wants to hand ${workspace} over to you`,
  heading: `Become the owner of ${workspace}`,
  body: [`${from} offers you the ownership of ${workspace}. Nothing changes until you accept it.`],
  button: { label: 'See the offer', href: workspacePage(MEMBERS) },
  after: [`The offer stands until ${formatDay(expiresAt)}.`],
  reason: `You get this because you are a member of ${workspace}.`,
})

export const ownershipAccepted = (
  { workspace, newOwner }: QueuedMailOf<'ownershipAccepted'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${newOwner} is now the owner of ${workspace}`,
  heading: `${workspace} was handed over`,
  body: [`${newOwner} accepted your offer and is now the owner of ${workspace}. You stay a member.`],
  button: { label: 'See the members', href: workspacePage(MEMBERS) },
  after: [],
  reason: `You get this because you offered the ownership of ${workspace}.`,
})

export const workspaceDeleted = (
  { workspace, by, until }: QueuedMailOf<'workspaceDeleted'>,
  { page }: TemplateContext,
): MailContent => ({
  subject: `${workspace} was deleted`,
  heading: `${workspace} was deleted`,
  body: [
    `${by} deleted the workspace ${workspace}. Nobody can open it, and nothing is lost yet: until ${formatDay(until)} an owner can restore it.`,
  ],
  button: { label: 'Go to your workspaces', href: page('/') },
  after: ['After that day everything in it is gone for good.'],
  reason: `You get this because you were a member of ${workspace}.`,
})
