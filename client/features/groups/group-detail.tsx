import { MutedText } from '../../ui/muted-text'
import { DialogButtons } from '../../ui/forms/form-dialog'
import { Alert, Button, Group as Row, List, Select, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { z } from 'zod'
import { IconArrowLeft, IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useDeleteGroup, groupQuery } from './queries'
import { groupsQuery } from '../../lib/queries/group-queries'
import { ApiError } from '../../lib/api'
import { FormError } from '../../ui/forms/form-error'
import type { UserGroupDetail } from '../../../src/shared/groups'
import { useMay } from '../../lib/gate'
import { LinkAnchor } from '../../ui/buttons/links'
import { SectionCard } from '../../ui/section-card'
import { GroupDialog } from './group-dialog'
import { GroupColorDot, GroupsLockedNotice } from './groups-list'
import { GroupMembers } from './group-members'
import { describeRule } from './group-text'
import { formatPersonCount } from '../../../src/shared/figures/formatter'
import { useGroupPermissions } from './use-group-permissions'
import { ErrorState } from '../../ui/error-state'
import { TableSkeleton } from '../../ui/skeletons'
import { Dialog } from '../../ui/dialog'

const dependentsSchema = z.array(z.object({ type: z.string().optional(), id: z.string(), name: z.string() }))
type Dependents = z.output<typeof dependentsSchema>

/** What still names the group, when that is why the server refused. */
function dependentsOf(error: unknown): Dependents | null {
  if (!(error instanceof ApiError) || error.body.code !== 'in_use') return null
  return dependentsSchema.safeParse(error.body['dependents']).data ?? []
}

/** Stands for “no group”; ids never look like it. */
const NO_GROUP = 'none'

interface DeleteGroupDialogProps {
  group: UserGroupDetail
  onClose: () => void
  onDeleted: () => void
}

/** Asks once; when invitations name the group, names them and asks what takes its place. */
function DeleteGroupDialog({ group, onClose, onDeleted }: DeleteGroupDialogProps) {
  const [replacement, setReplacement] = useState(NO_GROUP)
  const remove = useDeleteGroup()
  const dependents = dependentsOf(remove.error)
  const [hasDependents, setAsked] = useState(false)
  const { id, name, version } = group
  const submit = () =>
    remove.mutate(
      { id, version, ...(hasDependents ? { replacement } : {}) },
      {
        onSuccess: () => {
          notifications.show({ message: `${name} deleted` })
          onDeleted()
        },
        onError: (error) => setAsked(hasDependents || dependentsOf(error) !== null),
      },
    )
  return (
    <Dialog opened onClose={onClose} title={`Delete ${name}?`}>
      <Stack gap="md">
        <Text size="sm">Members stay in the workspace. You can restore the group for 30 days.</Text>
        {dependents === null && <FormError error={remove.error} />}
        {hasDependents && <ReplacementField {...{ id, dependents, replacement }} onChange={setReplacement} />}
        <DialogButtons
          submit="Delete group"
          danger
          focusCancel
          pending={remove.isPending}
          onConfirm={submit}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  )
}

interface ReplacementFieldProps {
  id: string
  dependents: Dependents | null
  replacement: string
  onChange: (id: string) => void
}

function ReplacementField({ id, dependents, replacement, onChange }: ReplacementFieldProps) {
  const { data } = useQuery(groupsQuery())
  const others = (data ?? []).filter((other) => other.id !== id)
  return (
    <>
      {dependents !== null && (
        <Alert color="yellow" title="Used by" role="alert">
          <List size="sm">
            {dependents.map((each) => (
              <List.Item key={each.id}>
                {each.name}
                {each.type === 'accessRule' ? ' (data access rule)' : ' (pending invitation)'}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Select
        label="Replace with"
        data={[
          { value: NO_GROUP, label: 'No group' },
          ...others.map((other) => ({ value: other.id, label: other.name })),
        ]}
        value={replacement}
        onChange={(value) => onChange(value ?? NO_GROUP)}
      />
    </>
  )
}

/** Everything that names the group. For those who may see all of it: a shorter list would say too little. */
function GroupUsage({ group: { unlocks } }: { group: UserGroupDetail }) {
  const may = useMay('invite:member')
  if (!may) return null
  const invites = unlocks.filter(({ kind }) => kind === 'invite')
  const rules = unlocks.filter(({ kind }) => kind !== 'invite')
  return (
    <SectionCard title="Used by">
      {unlocks.length === 0 && <MutedText>Not used yet. Invitations can add people to groups.</MutedText>}
      {invites.length > 0 && (
        <UsageList
          title={invites.length === 1 ? '1 pending invitation' : `${invites.length} pending invitations`}
          items={invites}
        >
          <LinkAnchor to="/settings/workspace/members" search={{ tab: 'invitations' }}>
            View invitations
          </LinkAnchor>
        </UsageList>
      )}
      {rules.length > 0 && (
        <UsageList
          title={rules.length === 1 ? '1 data access rule' : `${rules.length} data access rules`}
          items={rules}
        >
          <LinkAnchor to="/settings/workspace/data-access" search={{ tab: 'rules' }}>
            View rules
          </LinkAnchor>
        </UsageList>
      )}
    </SectionCard>
  )
}

/** What of one kind names the group, and the way to all of it. */
function UsageList(props: { title: string; items: UserGroupDetail['unlocks']; children: ReactNode }) {
  const { title, items, children } = props
  return (
    <div>
      <Text size="sm">{title}</Text>
      <List size="sm">
        {items.map(({ id, label }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            {label}
          </List.Item>
        ))}
      </List>
      <Text size="sm">{children}</Text>
    </div>
  )
}

/** One group: who is in it, why, who manages it, and what it is used for. */
export function GroupDetailView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(groupQuery(id))
  const { planned } = useGroupPermissions()
  return (
    <Stack gap="md">
      <Text size="sm">
        <LinkAnchor to="/settings/workspace/members" search={{ tab: 'groups' }}>
          <IconArrowLeft size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> All groups
        </LinkAnchor>
      </Text>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <TableSkeleton count={4} />}
      {data && (
        <>
          {!planned && <GroupsLockedNotice />}
          <GroupHeader group={data} />
          <GroupMembers group={data} />
          <GroupUsage group={data} />
        </>
      )}
    </Stack>
  )
}

function GroupHeader({ group }: { group: UserGroupDetail }) {
  const { mayEdit } = useGroupPermissions()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <Row justify="space-between" align="flex-start" gap="sm">
      <div style={{ flex: '1 1 16rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Row gap="xs" wrap="nowrap" align="flex-start">
          <GroupColorDot color={group.color} />
          <Title order={2}>{group.name}</Title>
        </Row>
        {group.description !== '' && (
          <Text size="sm" mt={4}>
            {group.description}
          </Text>
        )}
        <Text size="sm" c="dimmed" mt={4}>
          {formatPersonCount(group.memberCount)}. {describeRule(group.autoRule)}
        </Text>
      </div>
      {mayEdit && (
        <Row gap="xs">
          <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen('edit')}>
            Edit group
          </Button>
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setOpen('delete')}
          >
            Delete group
          </Button>
        </Row>
      )}
      {open === 'edit' && <GroupDialog group={group} onClose={close} />}
      {open === 'delete' && (
        <DeleteGroupDialog
          group={group}
          onClose={close}
          onDeleted={() => void navigate({ to: '/settings/workspace/members', search: { tab: 'groups' } })}
        />
      )}
    </Row>
  )
}
