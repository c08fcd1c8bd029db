import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import type { LinkState, ReportLink } from '../../../../src/shared/reports/links'
import { useFormat } from '../../../lib/format'
import { useMay } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { confirmDestructive } from '../../../ui/forms/confirm-dialog'
import { NeutralBadge } from '../../../ui/neutral-badge'
import { MutedText } from '../../../ui/muted-text'
import { notifyError } from '../../../ui/notify-error'
import { useConfirmLink, useRevokeLink } from './queries'
import classes from './links.module.css'

const STATES: Record<LinkState, string> = { live: 'Live', paused: 'Paused', expired: 'Expired', ended: 'Ended' }
const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`

interface LinkListProps {
  links: readonly ReportLink[]
  /** Of several reports. */
  named?: boolean
}

/** Links to reports: what opens, for how long, how often it was viewed; and the end of each. */
export function LinkList({ links, named = false }: LinkListProps) {
  return (
    <Stack gap={0} component="ul" className={classes.list} aria-label="Share links">
      {links.map((link) => (
        <LinkRow key={link.id} link={link} named={named} />
      ))}
    </Stack>
  )
}

function LinkRow({ link, named }: { link: ReportLink; named: boolean }) {
  const format = useFormat()
  const may = useMay('revoke:link')
  const mayAll = useMay('edit:access')
  const { user } = useSession()
  const revoke = useRevokeLink()
  const isOpen = link.state === 'live' || link.state === 'paused'
  const label = STATES[link.state]
  const name = link.name || 'Link'
  const ask = (): void =>
    confirmDestructive({
      title: 'Revoke link?',
      message: 'People with this link can’t open the report any more. This can’t be undone.',
      confirm: 'Revoke link',
      onConfirm: () => revoke.mutate(link, { onError: notifyError }),
    })
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Group gap={8} wrap="wrap">
          <Text fw={550} size="sm">
            {named ? link.reportName : name}
          </Text>
          {link.state === 'live' ? <Badge variant="light">{label}</Badge> : <NeutralBadge>{label}</NeutralBadge>}
          {link.passcode && <NeutralBadge>Passcode</NeutralBadge>}
        </Group>
        <MutedText size="xs">
          {[
            ...(named && link.name !== '' ? [link.name] : []),
            ...(link.edition === null ? [] : [`Edition ${link.edition}`]),
            !isOpen
              ? `${label} ${format.day(link.endedAt ?? link.expiresAt)}`
              : `Expires ${format.day(link.expiresAt)}`,
            link.lastViewedAt === null
              ? 'Not viewed yet'
              : `${count(link.views, 'view', 'views')}, last ${format.dateTime(link.lastViewedAt)}`,
            ...(link.narrowed ? ['Filtered'] : []),
            ...(link.download ? ['PDF'] : []),
            ...(link.origins.length > 0 ? [`Embed: ${count(link.origins.length, 'site', 'sites')}`] : []),
            `By ${link.createdByName}`,
          ].join(' · ')}
        </MutedText>
        {link.changed && link.state === 'live' && <ChangedNote link={link} isOwn={link.createdBy === user?.id} />}
        {link.state === 'paused' && (
          <MutedText size="xs">
            Opens nothing now: the plan, the report or its creator’s access doesn’t allow it.
          </MutedText>
        )}
      </div>
      {isOpen && may && (mayAll || link.createdBy === user?.id) && (
        <Button
          size="compact-sm"
          variant="default"
          className={classes.button ?? ''}
          loading={revoke.isPending}
          onClick={ask}
        >
          Revoke
        </Button>
      )}
    </li>
  )
}

/** What was changed stays hidden until the link's creator says that it may be seen. */
function ChangedNote({ link, isOwn }: { link: ReportLink; isOwn: boolean }) {
  const confirm = useConfirmLink()
  return (
    <Group gap="xs" mt={4}>
      <MutedText size="xs" style={{ flex: '1 1 14rem' }}>
        {isOwn
          ? 'Changed since you shared it. Viewers don’t see what changed until you allow it.'
          : `Changed since it was shared. Viewers don’t see what changed until ${link.createdByName} allows it.`}
      </MutedText>
      {isOwn && (
        <Button
          size="compact-sm"
          variant="light"
          loading={confirm.isPending}
          onClick={() => confirm.mutate(link, { onError: notifyError })}
        >
          Show changes
        </Button>
      )}
    </Group>
  )
}
