import { formatDay, type MailContent, type TemplateContext } from '../layout'
import type { QueuedMailOf } from '../queued-mail'
import type { Role } from '../../shared/permissions'

const ROLE_NAMES: Record<Role, string> = {
  owner: 'an owner',
  admin: 'an admin',
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
  body: [`${inviter} invites you to ${workspace} as ${ROLE_NAMES[role]}.`],
  button: { label: 'View invitation', href: page(`/invitation#${token}`) },
  after: [`It’s for this address only and expires ${formatDay(expiresAt)}. Only the newest email works.`],
  link: { words: 'Don’t know the sender? Report this invitation', href: page(`/invitation/report#${reportToken}`) },
  reason: `${inviter} entered this address.`,
})

export const invitationAccepted = (
  { workspace, person, role }: QueuedMailOf<'invitationAccepted'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${person} joined ${workspace}`,
  heading: `${person} joined ${workspace}`,
  body: [`${person} accepted your invitation and is now ${ROLE_NAMES[role]}.`],
  button: { label: 'View members', href: workspacePage(MEMBERS) },
  after: [],
  reason: 'Emails about accepted invitations are on in your profile.',
})

export const membershipChanged = (
  { workspace, change, role }: QueuedMailOf<'membershipChanged'>,
  { appName, page, workspacePage }: TemplateContext,
): MailContent => {
  const [heading, body] = MEMBERSHIP_TEXTS[change](workspace, ROLE_NAMES[role])
  const inside = change === 'role' || change === 'resumed'
  return {
    subject: heading,
    heading,
    body: [body],
    button: inside
      ? { label: 'Open workspace', href: workspacePage('/') }
      : { label: `Open ${appName}`, href: page('/') },
    after: inside ? [] : ['Think this is a mistake? Ask an admin of the workspace.'],
    reason: 'Emails about your memberships are on in your profile.',
  }
}

type MembershipText = (workspace: string, role: string) => [heading: string, body: string]
const MEMBERSHIP_TEXTS: Record<QueuedMailOf<'membershipChanged'>['change'], MembershipText> = {
  role: (workspace, role) => [`Your role in ${workspace} changed`, `You’re now ${role}.`],
  suspended: (workspace) => [
    `Your membership of ${workspace} was suspended`,
    'You can’t open it until an owner or admin reactivates it.',
  ],
  resumed: (workspace, role) => [`Your membership of ${workspace} was reactivated`, `You’re ${role} again.`],
  removed: (workspace) => [`You were removed from ${workspace}`, 'Your account and other workspaces aren’t affected.'],
}

export const ownershipOffered = (
  { workspace, from, expiresAt }: QueuedMailOf<'ownershipOffered'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${from} offers you ownership of ${workspace}`,
  heading: `Ownership of ${workspace}`,
  body: [`${from} offers you ownership of ${workspace}.`],
  button: { label: 'View offer', href: workspacePage(MEMBERS) },
  after: [`The offer expires ${formatDay(expiresAt)}.`],
  reason: `Sent to you as a member of ${workspace}.`,
})

export const ownershipAccepted = (
  { workspace, newOwner }: QueuedMailOf<'ownershipAccepted'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${newOwner} now owns ${workspace}`,
  heading: `Ownership of ${workspace} transferred`,
  body: [`${newOwner} accepted your offer. You’re now an admin.`],
  button: { label: 'View members', href: workspacePage(MEMBERS) },
  after: [],
  reason: `You offered ownership of ${workspace}.`,
})

export const workspaceDeleted = (
  { workspace, by, until }: QueuedMailOf<'workspaceDeleted'>,
  { page }: TemplateContext,
): MailContent => ({
  subject: `${workspace} was deleted`,
  heading: `${workspace} was deleted`,
  body: [`${by} deleted ${workspace}. An owner can restore it until ${formatDay(until)}.`],
  button: { label: 'View workspaces', href: page('/') },
  after: ['After that it’s permanently deleted.'],
  reason: `Sent to owners and admins of ${workspace}.`,
})
